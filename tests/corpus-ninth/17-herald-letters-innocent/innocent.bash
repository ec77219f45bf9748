#!/bin/bash
# Sorts the packed letters by their seal and counts the words of each body.

declare -A words_of=([red]=0 [green]=0)
declare -A letters_of=([red]=0 [green]=0)
rows=()

# Reads the header up to the blank line, then leaves the rest to wc.
open_letter() {
    local key value from='' seal=''
    while IFS=': ' read -r key value && [[ -n $key ]]; do
        case $key in
            From) from=$value ;;
            Seal) seal=$value ;;
        esac
    done
    echo "$from $seal $(wc -w)"
}

for letter in letters/*.gz; do
    read -r from seal words < <(gzip -dc "$letter" | open_letter)
    if [[ -z $seal ]]; then
        echo "$letter has no seal"
        continue
    fi
    words_of[$seal]=$(( ${words_of[$seal]} + words ))
    letters_of[$seal]=$(( ${letters_of[$seal]} + 1 ))
    rows+=("$from $seal $words")
done

printf '%s\n' "${rows[@]}" | sort > letters.txt
for seal in red green; do
    echo "$seal: ${letters_of[$seal]} letters, ${words_of[$seal]} words"
done
