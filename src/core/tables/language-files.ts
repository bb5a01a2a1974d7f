/**
 * Whose code a source file is, by language: a row for each, found by its file names. The code of a program is all that
 * its package manager and the runtime did not install; where the files are is the only thing that recordings of these
 * languages tell. The JVM's recordings have packages instead (src/model/flame/library-packages.ts).
 */

interface LanguageRow {
  language: string;
  files: RegExp;
  /** Of those, files of packages and of the runtime. Paths have forward slashes. */
  installed: RegExp;
}

/** Top folders of Go's standard library, as builds with -trimpath state its files. */
const GO =
  "archive|bufio|bytes|compress|container|context|crypto|database|encoding|errors|expvar|flag|fmt|go|hash|html";
const GO_MORE =
  "image|internal|io|iter|log|maps|math|mime|net|os|path|plugin|reflect|regexp|runtime|slices|sort|strconv|strings|" +
  "sync|syscall|testing|text|time|unicode|unique|weak";

export const LANGUAGES: readonly LanguageRow[] = [
  {
    language: "JavaScript",
    files: /^node:|\.[cm]?[jt]sx?$/,
    // Functions of undici have paths of its repository.
    installed: /^node:|^lib\/|(^|\/)node_modules\/|\/dist-lib\/record(\/|\.js$)/,
  },
  {
    language: "Python",
    files: /\.pyx?$|^<frozen /,
    installed:
      /^<frozen |(^|\/)(site|dist)-packages\/|\/(lib|Lib)\/(python|pypy)?\d?[\d.]*\/?[^/]*\.pyx?$|\/lib\/(python|pypy)\d/,
  },
  { language: "Ruby", files: /\.rb$|^<internal:/, installed: /^<internal:|\/gems\/|\/lib\/ruby\// },
  { language: "PHP", files: /\.php$/, installed: /(^|\/)vendor\/|\/share\/(php|pear)\// },
  {
    language: "Go",
    files: /\.(go|s)$/,
    installed: new RegExp(
      `@v\\d|/pkg/mod/|(^|/)vendor/|/(go|go-?\\d[\\w.-]*|libexec)/src/(?!github\\.com/)|^(${GO}|${GO_MORE})/|^_cgo_`,
    ),
  },
  {
    language: "Rust",
    files: /\.rs$/,
    installed: /^\/rustc\/|\/\.cargo\/(registry|git)\/|\/rustlib\/|(^|\/)library\/(core|std|alloc|proc_macro)\/src\//,
  },
  { language: ".NET", files: /\.(cs|fs|vb)$/, installed: /^\/_+\/src\/|\/\.nuget\/packages\// },
  { language: "Erlang", files: /\.(erl|ex|exs)$/, installed: /(^|\/)deps\/|\/lib\/(erlang|elixir)\// },
];

/** `installed`: of a package or of the runtime. Null for files of no row. */
export function ownerOf(file: string): "program" | "installed" | null {
  const path = file.replaceAll("\\", "/");
  const row = LANGUAGES.find(({ files }) => files.test(path));
  if (row === undefined) return null;
  return row.installed.test(path) ? "installed" : "program";
}
