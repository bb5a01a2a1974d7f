/**
 * Whose code a source file is, by language: a row for each, found by its file names. The code of a program is all that
 * its package manager and the runtime did not install; where the files are is the only thing that recordings of these
 * languages tell. The JVM's recordings have packages instead (src/model/flame/library-packages.ts).
 */

interface LanguageRow {
  language: string;
  files: RegExp;
  /** Of those, files of packages and of the runtime. Paths have forward slashes. */
  installed: readonly RegExp[];
}

const ROWS: readonly LanguageRow[] = [
  {
    language: "JavaScript",
    files: /^node:|\.[cm]?[jt]sx?$/,
    // The last is our recorder.
    installed: [/^node:/, /(^|\/)node_modules\//, /\/dist-lib\/record(\/|\.js$)/],
  },
  {
    language: "Python",
    files: /\.pyx?$|^<frozen /,
    installed: [/^<frozen /, /(^|\/)(site|dist)-packages\//, /\/(lib|lib64)\/(python|pypy)\d/, /\/Python\d+\/Lib\//],
  },
  { language: "Ruby", files: /\.rb$|^<internal:/, installed: [/^<internal:/, /\/gems\//, /\/lib\/ruby\//] },
  { language: "PHP", files: /\.php$/, installed: [/(^|\/)vendor\//, /\/share\/(php|pear)\//] },
  {
    language: "Go",
    files: /\.(go|s)$/,
    installed: [
      /@v\d|\/pkg\/mod\/|(^|\/)vendor\/|^_cgo_/,
      /\/(go|go-?\d[\w.-]*|libexec)\/src\/(?!\w+\.\w+\/)/,
      // The standard library in builds with -trimpath.
      /^(archive|bufio|bytes|compress|container|context|crypto|database|encoding|errors|expvar|flag|fmt|go|hash)\//,
      /^(html|image|internal|io|iter|log|maps|math|mime|net|os|path|plugin|reflect|regexp|runtime|slices|sort)\//,
      /^(strconv|strings|sync|syscall|testing|text|time|unicode|unique|weak)\//,
    ],
  },
  {
    language: "Rust",
    files: /\.rs$/,
    installed: [/^\/rustc\//, /\/\.cargo\/(registry|git)\//, /\/rustlib\//, /(^|\/)library\/(core|std|alloc)\/src\//],
  },
  { language: ".NET", files: /\.(cs|fs|vb)$/, installed: [/^\/_+\/src\//, /\/\.nuget\/packages\//] },
  { language: "Erlang", files: /\.(erl|ex|exs)$/, installed: [/(^|\/)deps\//, /\/lib\/(erlang|elixir)\//] },
];

/** `installed`: of a package or of the runtime. Null for files of no row. */
export function ownerOf(file: string): "program" | "installed" | null {
  const path = file.replaceAll("\\", "/");
  const row = ROWS.find(({ files }) => files.test(path));
  if (row === undefined) return null;
  return row.installed.some((each) => each.test(path)) ? "installed" : "program";
}
