echo '{"newCheckout": {"percent": 30}, "darkMode": {"percent": 100}, "beta": {"percent": 0}}' > flags.json
