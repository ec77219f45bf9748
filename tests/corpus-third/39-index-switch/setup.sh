mkdir idx; echo 'generation 0' > idx/current.idx
