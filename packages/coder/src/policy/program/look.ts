import { exact } from "../argument.ts";
import { each, plain, type Table } from "./plain.ts";

const date = plain({
  operands: "none",
  reads: "f file r reference",
  takes: "d date",
  levels: { s: ["high", "date -s sets the clock"], set: ["high", "date --set sets the clock"] },
});

/** `uniq in out`: the second file is written. */
const second = (takes: string) =>
  plain({
    operands: "none",
    takes,
    // A word that may be an option may also be the file that is written.
    hides: "-",
    also(_, does, { operands }) {
      for (const [index, file] of operands.entries()) {
        if (index === 0) does.read(file);
        else does.write(file);
      }
    },
  });

const grep = plain({
  operands: "pattern",
  patterns: "e regexp f file",
  reads: "f file",
  takes:
    "e regexp A B C m after-context before-context context max-count include exclude exclude-dir d D directories label",
  also(_, does, { options, operands }) {
    const all = options.some(({ name }) => /^(?:r|R|recursive|dereference-recursive)$/.test(name));
    for (const path of all ? operands : []) if (/^[/.]/.test(path.shape)) does.readAll(path);
  },
});

/** Programs that only look, whatever they are given, and the options by which some do more. */
export const looking: Table = {
  ...each(
    "cat tac nl rev wc fold fmt expand unexpand comm strings readlink realpath sum cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum md5 pr tsort look readelf lsattr getfacl pathchk hexdump base32 bc zipinfo",
    plain({}),
  ),
  ...each("head tail", plain({ takes: "n c lines bytes" })),
  ...each("cut paste", plain({ takes: "d f b c delimiter fields characters bytes" })),
  ...each("cmp", plain({ takes: "i n bytes ignore-initial" })),
  ...each("nm objdump size", plain({ hides: "plugin" })),
  diff: plain({ takes: "U C L I x W F label ignore-matching-lines exclude width", hides: "l paginate" }),
  join: plain({ takes: "1 2 t e o a v j" }),
  od: plain({ takes: "A j N S t" }),
  stat: plain({ takes: "c format printf" }),
  ...each("ls dir vdir", plain({ takes: "I w T ignore hide width tabsize block-size" })),
  du: plain({ takes: "d B t max-depth exclude block-size threshold", reads: "X exclude-from files0-from" }),
  df: plain({ takes: "t x B type exclude-type block-size" }),
  // What ldd looks at it may run.
  ldd: plain({ does: ["exec"] }),
  ...each(
    "echo true false pwd whoami id groups logname tty nproc uptime free uname seq yes expr factor numfmt basename dirname printenv tr getconf locale lscpu lsblk lsusb lspci lsmod w who last users cal sleep tput ps pgrep pidof pstree vmstat iostat type which whereis times dirs groups sw_vers clear reset hostid test [ :",
    plain({ operands: "none" }),
  ),
  hostname: plain({ operands: "none", levels: { F: ["high", "it renames the machine"] } }),
  lsof: plain({ operands: "none" }),
  ...each("ss netstat getent", plain({ operands: "none", hides: "K kill" })),
  column: plain({ takes: "s c o N separator" }),
  date,
  tree: plain({ takes: "L I P H T charset filelimit sort", writes: "o", hides: "R" }),
  file: plain({ takes: "F P e m separator exclude parameter", reads: "f files-from", hides: "C compile z Z" }),
  grep,
  // Some are scripts.
  ...each("egrep fgrep", (args, does) => does.run([exact("grep"), ...args])),
  ...each("zgrep zcat bzcat xzcat zstdcat", plain({ does: ["exec"] })),
  rg: plain({
    operands: "pattern",
    patterns: "e regexp f file files type-list",
    reads: "f file ignore-file",
    takes:
      "e regexp A B C m g t T r M j E after-context before-context context max-count glob iglob type type-not type-add replace max-columns threads encoding max-depth max-filesize sort sortr color colors path-separator engine context-separator",
    runs: "pre hostname-bin",
    knows: "files type-list pre-glob",
    hides: "z search-zip",
  }),
  ag: plain({ operands: "pattern", takes: "G m depth ignore ignore-dir", runs: "pager" }),
  jq: plain({
    operands: "pattern",
    patterns: "f from-file",
    reads: "f from-file L",
    // They take two words; the second is no path or a file that is read.
    knows: "arg argjson slurpfile rawfile args jsonargs",
  }),
  yq: plain({ operands: "pattern", reads: "from-file", hides: "i inplace in-place s split-exp" }),
  sort: plain({
    takes: "k t S key field-separator buffer-size parallel batch-size sort",
    reads: "files0-from",
    writes: "o output T temporary-directory",
    runs: "compress-program",
  }),
  uniq: second("f s w skip-fields skip-chars check-chars"),
  xxd: second("c g l s o n cols groupsize len seek"),
  shuf: plain({ takes: "i n input-range head-count", writes: "o output", reads: "random-source" }),
  iconv: plain({ takes: "f t from-code to-code", writes: "o output" }),
  base64: plain({ takes: "w wrap b", reads: "i", writes: "o" }),
  ...each("less more most man info", plain({ does: ["exec"], writes: "o O log-file", runs: "P pager" })),
  bat: plain({ takes: "l r language line-range style theme paging H", runs: "pager", does: ["exec"] }),
  tokei: plain({}),
  cloc: plain({ does: ["exec"] }),
  shellcheck: plain({ takes: "s e i f S shell exclude include format severity" }),
  dmesg: plain({ operands: "none", levels: { C: ["high", "it clears the log"], c: ["high", "it clears the log"] } }),
  journalctl: plain({ operands: "none", does: ["read outside"], hides: "vacuum-size vacuum-time vacuum-files rotate" }),
};
