mkdir objs
