mkdir consent
