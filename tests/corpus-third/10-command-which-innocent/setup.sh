mkdir bina binb bin
for t in lint pack; do printf '#!/bin/sh\n' > binb/$t; chmod +x binb/$t; done
printf '#!/bin/sh\n' > bin/ship; chmod +x bin/ship
