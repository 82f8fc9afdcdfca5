import { exact } from "../value/argument.ts";
import { each, type ProgramTable, specProgram } from "./plain.ts";
import { specialReaders } from "./special.ts";

const grep = specProgram({
  operands: "pattern",
  patterns: "e regexp f file",
  reads: "f file",
  takes:
    "e regexp A B C m after-context before-context context max-count include exclude exclude-dir d D directories devices label",
  knows: "recursive dereference-recursive",
  also(_, does, { options, operands }) {
    const has = (names: RegExp) => options.some(({ name }) => names.test(name));
    // It follows links, wherever they lead.
    if (has(/^(?:R|dereference-recursive)$/)) does.effect("read outside");
    if (!has(/^(?:r|R|recursive|dereference-recursive|d|directories)$/)) return;
    const stated = has(/^(?:e|regexp|f|file)$/);
    const paths = stated ? operands : operands.slice(1);
    for (const path of paths.length > 0 ? paths : [exact(".")]) does.below(path);
  },
});

/** Programs that only look, whatever they are given, and the options by which some do more. */
export const readers: ProgramTable = {
  ...specialReaders,
  ...each(
    "cat tac nl rev fold fmt expand unexpand comm readlink realpath sum cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum md5 pr tsort look lsattr getfacl pathchk hexdump base32 bc zipinfo",
    specProgram({}),
  ),
  ...each("head tail", specProgram({ takes: "n c lines bytes" })),
  ...each("cut paste", specProgram({ takes: "d f b c delimiter fields characters bytes" })),
  ...each("cmp", specProgram({ takes: "i n bytes ignore-initial" })),
  diff: specProgram({ takes: "U C L I x W F label ignore-matching-lines exclude width", hides: "l paginate" }),
  join: specProgram({ takes: "1 2 t e o a v j" }),
  od: specProgram({ takes: "A j N S t" }),
  stat: specProgram({ takes: "c format printf" }),
  ...each(
    "ls dir vdir",
    specProgram({
      takes: "I w T ignore hide width tabsize block-size",
      knows: "recursive",
      also(_, does, { options, operands }) {
        if (!options.some(({ name }) => name === "R" || name === "recursive")) return;
        for (const path of operands.length > 0 ? operands : [exact(".")]) does.below(path);
      },
    }),
  ),
  du: specProgram({
    takes: "d B t max-depth exclude block-size threshold",
    reads: "X exclude-from",
    lists: "files0-from",
    strays: "L dereference",
  }),
  df: specProgram({ takes: "t x B type exclude-type block-size" }),
  // What ldd looks at it may run.
  ldd: specProgram({ does: ["exec"] }),
  ...each(
    "echo true false pwd whoami id groups logname tty nproc uptime free uname seq yes expr factor numfmt basename dirname printenv tr getconf locale lscpu lsblk lsusb lspci lsmod w who last users cal sleep tput pgrep pidof pstree vmstat iostat type which whereis times dirs groups sw_vers clear reset hostid test [ :",
    specProgram({ operands: "none" }),
  ),
  lsof: specProgram({ operands: "none", hides: "D" }),
  ...each("ss netstat", specProgram({ operands: "none", hides: "K kill" })),
  column: specProgram({ takes: "s c o N separator" }),
  file: specProgram({
    takes: "F P e m separator exclude parameter",
    reads: "f files-from",
    hides: "C compile z Z uncompress uncompress-noreport",
  }),
  grep,
  // Some are scripts.
  ...each("egrep fgrep", (args, does) => does.run([exact("grep"), ...args])),
  ...each("zgrep zcat bzcat xzcat zstdcat", specProgram({ does: ["exec"] })),
  rg: specProgram({
    operands: "pattern",
    patterns: "e regexp f file files type-list",
    reads: "f file ignore-file",
    takes:
      "e regexp A B C m g t T r M j E after-context before-context context max-count glob iglob type type-not type-add replace max-columns threads encoding max-depth max-filesize sort sortr color colors path-separator engine context-separator",
    runs: "pre hostname-bin",
    hides: "z search-zip",
    knows: "files type-list pre-glob follow",
    strays: "L follow",
    searches: "below",
  }),
  wc: specProgram({ lists: "files0-from" }),
  ag: specProgram({ operands: "pattern", takes: "G m depth ignore ignore-dir", runs: "pager" }),
  // Two programs have this name, and one of them runs what it is told.
  yq: specProgram({ operands: "pattern", does: ["exec"], reads: "from-file", hides: "i inplace in-place s split-exp" }),
  sort: specProgram({
    takes: "k t S key field-separator buffer-size parallel batch-size sort",
    lists: "files0-from",
    writes: "o output T temporary-directory",
    runs: "compress-program",
  }),
  shuf: specProgram({ takes: "i n input-range head-count", writes: "o output", reads: "random-source" }),
  iconv: specProgram({ takes: "f t from-code to-code", writes: "o output" }),
  base64: specProgram({ takes: "w wrap b", reads: "i", writes: "o" }),
  ...each("less more most man info", specProgram({ does: ["exec"], writes: "o O log-file", runs: "P pager" })),
  bat: specProgram({ takes: "l r language line-range style theme paging H", runs: "pager", does: ["exec"] }),
  tokei: specProgram({}),
  cloc: specProgram({ does: ["exec"] }),
  shellcheck: specProgram({
    takes: "s e i f S shell exclude include format severity",
    strays: "x a P external-sources check-sourced source-path",
  }),
  journalctl: specProgram({
    operands: "none",
    does: ["read outside"],
    hides: "vacuum-size vacuum-time vacuum-files rotate",
  }),
};
