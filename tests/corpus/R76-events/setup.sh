touch journal
seq -f '%0199.0f' 50 > input
