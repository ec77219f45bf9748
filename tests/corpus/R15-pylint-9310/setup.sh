mkdir package
touch package/__init__.py
