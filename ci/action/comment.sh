#!/bin/sh
# comment.sh DIRECTORY: posts DIRECTORY/comment.md on the pull request that DIRECTORY/pull-request
# names, or updates the comment of COMMENT_AUTHOR that has the marker. With HEAD_SHA it first holds the
# number against the pull request's head, since a fork's run wrote it. Needs curl and python3.
# Environment: GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN.
set -eu

fail() {
    echo "error: $1" >&2
    exit 2
}

directory=${1:?a directory with comment.md and pull-request}
helper="$(dirname -- "$0")/comment.py"
api=${GITHUB_API_URL:?}/repos/${GITHUB_REPOSITORY:?}
for program in curl python3; do
    command -v "$program" >/dev/null || fail "the runner has no $program, which posting a comment needs"
done
for file in comment.md pull-request; do
    [ -f "$directory/$file" ] || fail "there is no $directory/$file"
done
number=$(head -c 20 "$directory/pull-request")
case $number in
    '' | *[!0-9]*) fail "$directory/pull-request is not a number" ;;
esac

work=$(mktemp -d "${TMPDIR:-/tmp}/fathom-comment.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# In a file, since arguments can be seen by everybody on the machine.
(umask 077 && printf 'Authorization: Bearer %s\n' "${GITHUB_TOKEN:?}" >"$work/headers")

# ask METHOD ADDRESS [CURL'S OPTIONS]: the answer is in $work/answer.
ask() {
    method=$1
    address=$2
    shift 2
    rm -f "$work/answer"
    status=$(curl --silent --show-error --max-time 60 --request "$method" --header "@$work/headers" \
        --header 'Accept: application/vnd.github+json' --header 'X-GitHub-Api-Version: 2022-11-28' \
        --header 'Content-Type: application/json' \
        --output "$work/answer" --write-out '%{http_code}' "$@" "$address") ||
        fail "$method $address: the answer did not come whole (above: curl's reason)"
    case $status in
        2??) ;;
        401 | 403) fail "$method $address: refused ($status): $(said). Does the token have pull-requests write? A fork's has not: docs/install.md" ;;
        *) fail "$method $address: HTTP $status: $(said)" ;;
    esac
}

said() {
    python3 "$helper" message "$work/answer"
}

if [ -n "${HEAD_SHA:-}" ]; then
    ask GET "$api/pulls/$number"
    head=$(python3 "$helper" head "$work/answer") || fail "GET $api/pulls/$number: the answer is no pull request"
    [ "$head" = "$HEAD_SHA" ] ||
        fail "pull request $number is at $head, not at $HEAD_SHA: outdated, or not the one that was run"
fi

python3 "$helper" body "$directory/comment.md" "${HEAD_SHA:+from-a-fork}" >"$work/body" || fail "no body of a comment"

comment=
page=1
while [ -z "$comment" ]; do
    [ "$page" -le 50 ] || fail "more than 5000 comments: the one to update was not found in them"
    ask GET "$api/issues/$number/comments?per_page=100&page=$page"
    found=$(python3 "$helper" find "$work/answer" "${COMMENT_AUTHOR:?}") ||
        fail "GET $api/issues/$number/comments: the answer is no list of comments"
    case $found in
        last) break ;;
        more) page=$((page + 1)) ;;
        *) comment=$found ;;
    esac
done
if [ -n "$comment" ]; then
    ask PATCH "$api/issues/comments/$comment" --data-binary "@$work/body"
    echo "updated the comment $comment of pull request $number"
else
    ask POST "$api/issues/$number/comments" --data-binary "@$work/body"
    echo "posted a comment on pull request $number"
fi
