mkdir store
