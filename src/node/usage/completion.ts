/** Completion scripts for bash, zsh and fish: fixed texts made from the table, so completing starts no process. */
import { COMMANDS, type SHELLS, VIEW } from "./commands.ts";
import { type CommandRow, type OptionRow, optionsOf } from "./rows.ts";

const ROWS: [name: string, row: CommandRow][] = Object.entries(COMMANDS);
const NAMES = ROWS.map(([name]) => name);

/** The options of a row that are listed. */
function listed(row: CommandRow): OptionRow[] {
  return optionsOf(row).filter(({ hidden }) => hidden !== true);
}

/** Both spellings of an option. */
function flags({ name, short }: OptionRow): string[] {
  return [...(short === undefined ? [] : [`-${short}`]), `--${name}`];
}

/** Words for the value of an option; none where it is any text or a path. */
function words({ choices, known }: OptionRow): readonly string[] {
  return choices ?? known ?? [];
}

/** Words for the operands of a command; none where they are paths. */
function operandWords(name: string, { operands }: CommandRow): readonly string[] {
  return name === "help" ? NAMES : (operands.choices ?? []);
}

/** A text as one word of any of the shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const HEAD = (shell: string) => `# Completion of spanflame for ${shell}, printed by \`spanflame completion ${shell}\`.`;

/** Empty answers make bash complete file names (-o default). */
function bash(): string {
  const values = (name: string, row: CommandRow) =>
    listed(row)
      .filter(({ value }) => value !== undefined)
      .map((option) => {
        const patterns = flags(option).map((flag) => `${name}:${flag}`);
        return `    ${patterns.join("|")}) _spanflame_words ${quoted(words(option).join(" "))}; return ;;`;
      });
  const rows: [string, CommandRow][] = [["", VIEW], ...ROWS];
  const lists = rows.map(([name, row]) => {
    const all = listed(row).flatMap(flags).join(" ");
    const others = name === "" ? NAMES : operandWords(name, row);
    return `    ${name || "''"}) options=${quoted(all)}; operands=${quoted(others.join(" "))} ;;`;
  });
  // A script, so that $ and {} are those of bash unless they are ${…} without a backslash.
  return `${HEAD("bash")}
_spanflame_words() {
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}
_spanflame() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" at=$((COMP_CWORD - 1)) command= word options= operands=
  COMPREPLY=()
  # bash separates --format=otlp at the =.
  if [[ $cur == = ]]; then cur=; elif [[ \${COMP_WORDS[at]} == = ]]; then at=$((at - 1)); fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      ${NAMES.join("|")}) command=$word; break ;;
      -*) ;;
      *) break ;;
    esac
  done
  case $command:\${COMP_WORDS[at]} in
${rows.flatMap(([name, row]) => values(name, row)).join("\n")}
  esac
  case $command in
${lists.join("\n")}
  esac
  if [[ $cur == -* ]]; then _spanflame_words "$options"; else _spanflame_words "$operands"; fi
}
complete -o default -F _spanflame spanflame`;
}

/** A description inside of a specification of `_arguments`. */
function described(text: string): string {
  return text.replaceAll(/[\\[\]:]/g, "\\$&");
}

function zshOption(option: OptionRow): string {
  const both = flags(option);
  const once = both.length > 1 ? `(${both.join(" ")})` : "";
  const repeats = option.many === true ? "*" : once;
  const files = option.path === undefined ? "" : "_files";
  const action = words(option).length > 0 ? `(${words(option).join(" ")})` : files;
  const value = option.value === undefined ? "" : `:${described(option.value)}:${action.replaceAll(":", "\\:")}`;
  const names = both.length > 1 ? `{${both.join(",")}}` : "";
  const rest = `${names === "" ? both[0] : ""}[${described(option.about)}]${value}`;
  return names === "" ? quoted(`${repeats}${rest}`) : `${quoted(repeats)}${names}${quoted(rest)}`;
}

function zshOperands(name: string, row: CommandRow): string {
  const all = operandWords(name, row);
  return quoted(`*:${row.operands.value}:${all.length > 0 ? `(${all.join(" ")})` : "_files"}`);
}

function zsh(): string {
  const lines = (row: CommandRow, operands: string) =>
    ["_arguments -S", ...listed(row).map(zshOption), operands].join(" \\\n        ");
  return [
    "#compdef spanflame",
    HEAD("zsh"),
    "_spanflame_first() {",
    "  local -a commands=(",
    ...ROWS.map(([name, { about }]) => `    ${quoted(`${name}:${about.replaceAll(":", "\\:")}`)}`),
    "  )",
    "  _describe -t commands command commands",
    "  _files",
    "}",
    "_spanflame() {",
    "  if (( CURRENT > 2 )); then",
    "    case $words[2] in",
    ...ROWS.map(
      ([name, row]) =>
        `      ${name})\n        shift words; (( CURRENT-- ))\n        ${lines(row, zshOperands(name, row))}\n        return ;;`,
    ),
    "    esac",
    "  fi",
    `  ${lines(VIEW, quoted("*:FILE:_spanflame_first"))}`,
    "}",
    '_spanflame "$@"',
  ].join("\n");
}

function fishOption(condition: string, option: OptionRow): string {
  const { name, short, value, path, about } = option;
  const letters = short === undefined ? "" : ` -s ${short}`;
  const argument = path === undefined ? " -x" : " -r -F";
  const takes = value === undefined ? "" : argument;
  const all = words(option).length === 0 ? "" : ` -a ${quoted(words(option).join(" "))}`;
  return `complete -c spanflame -n ${quoted(condition)}${letters} -l ${name}${takes}${all} -d ${quoted(about)}`;
}

function fish(): string {
  const none = `not __fish_seen_subcommand_from ${NAMES.join(" ")}`;
  return [
    HEAD("fish"),
    ...ROWS.map(([name, { about }]) => `complete -c spanflame -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`),
    ...listed(VIEW).map((option) => fishOption(none, option)),
    ...ROWS.flatMap(([name, row]) => {
      const condition = `__fish_seen_subcommand_from ${name}`;
      const all = operandWords(name, row);
      const operands = `complete -c spanflame -n ${quoted(condition)} -f -a ${quoted(all.join(" "))}`;
      return [...listed(row).map((option) => fishOption(condition, option)), ...(all.length > 0 ? [operands] : [])];
    }),
  ].join("\n");
}

const SCRIPTS: Record<(typeof SHELLS)[number], () => string> = { bash, zsh, fish };

export function completionScript(shell: (typeof SHELLS)[number]): string {
  return SCRIPTS[shell]();
}
