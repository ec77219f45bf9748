mkdir lang
printf 'greet=Hello %%s\nbye=Goodbye %%s\ncount=%%s items\n' > lang/default.properties
