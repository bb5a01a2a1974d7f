export const HELP = `spanflame [FILE…] [--port N] [--no-open]
spanflame convert IN… -o OUT [--format otlp|otlp-json] [--pretty] [--type T] [--span ID] [--local-root ID] [--attr K=V]
spanflame info IN… [--json]
spanflame top IN… --type T [--span ID] [--local-root ID] [--attr K=V] [--limit N] [--json]
spanflame spans IN… --type T [--by local-root|span|attr:KEY] [--limit N] [--json]

Without a command the viewer is served on a loopback port, with the files in it; the address carries a secret.
IN and OUT may be - for standard input and output. An ID is decimal, 0x-hex, or hex with at least one letter.
--type is a profile type as info lists them; --attr may be given several times, and all of them must hold.
Exit code: 0 done, 1 nothing could be read, 2 wrong usage.`;
