mkdir volumes
i=0; while [ $i -lt 12 ]; do printf 'VOL1clean%03d' $i > volumes/v$i; i=$((i+1)); done
printf 'VOL1dirty007' > volumes/v7
