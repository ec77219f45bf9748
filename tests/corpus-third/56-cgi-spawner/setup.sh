printf '#!/bin/sh\necho "status 200 $1"\n' > hello.cgi; chmod +x hello.cgi
