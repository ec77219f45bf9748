#!/bin/sh
# Runs `fathom ci` and keeps its exit code for the action's last step. Where it wrote no Markdown, the
# comment says so: an old "all met" must not stay below a run that failed.
set -eu

folder=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/fathom-ci.XXXXXX")
code=2
if [ -z "${FATHOM_BASE:-}" ] || [ -z "${FATHOM_HEAD:-}" ]; then
    echo "error: nothing to compare: give the action base and head" >&2
else
    code=0
    # shellcheck disable=SC2086 # words on purpose
    "${FATHOM:-fathom}" ci --base "$FATHOM_BASE" --head "$FATHOM_HEAD" \
        --markdown "$folder/comment.md" --html "$folder/report.html" ${FATHOM_ARGUMENTS:-} || code=$?
fi
if [ ! -s "$folder/comment.md" ]; then
    printf '<!-- fathom ci -->\n**Fathom wrote no result** (exit code %s): nothing was compared; %s\n' \
        "$code" "the step's log says why." >"$folder/comment.md"
    # Without a result 0 would be a lie.
    [ "$code" -ne 0 ] || code=2
fi
printf '%s\n' "${PULL_REQUEST:-}" >"$folder/pull-request"
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$folder/comment.md" >>"$GITHUB_STEP_SUMMARY"
{
    echo "exit-code=$code"
    echo "directory=$folder"
} >>"$GITHUB_OUTPUT"
