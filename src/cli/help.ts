export const HELP = `spanflame [FILE…] [--port N] [--no-open]
spanflame convert IN… -o OUT [--format otlp|otlp-json] [--pretty] [PROFILE] [FILTER]
spanflame info IN… [--event NAME [--value FIELD]] [--json]
spanflame top IN… PROFILE [FILTER] [--limit N] [--json]
spanflame spans IN… PROFILE [FILTER] [--by local-root|span|attr:KEY] [--limit N] [--json]
spanflame validate IN [--strict] [--json]

PROFILE is --type T [--value MEASURE], or --event NAME [--value FIELD] for any event of the recording.
FILTER is any of --span ID, --local-root ID, --attr KEY=VALUE (which may be given several times; all must hold).

Without a command the viewer is served on a loopback port, with the files in it; the address carries a secret.
IN and OUT may be - for standard input and output. An ID is decimal, 0x-hex, or hex with at least one letter.
A type is one that info lists; a measure one of those beside it. An event is counted, or a number of it added up.
validate holds OTLP profiles to the rules of docs/validator.md; --strict makes warnings count as errors.
Exit code: 0 done, 1 nothing could be read or an error was found by validate, 2 wrong usage.`;
