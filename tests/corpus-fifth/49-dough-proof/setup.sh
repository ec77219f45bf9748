mkdir -p proof
