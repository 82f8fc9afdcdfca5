import { each, type ProgramTable, program } from "./spec.ts";

/** Names of programs that usually only read; in the read-only sandbox the kernel holds them to it. */
export const readers =
  `cat tac nl rev fold fmt expand unexpand comm readlink realpath sum cksum md5sum sha1sum sha224sum
  sha256sum sha384sum sha512sum b2sum shasum md5 pr tsort look lsattr getfacl pathchk hexdump base32 base64 zipinfo head
  tail cut paste cmp diff join od stat ls dir vdir du df echo true false pwd whoami id groups logname tty nproc uptime
  free uname seq expr factor numfmt basename dirname printenv tr getconf locale lscpu who date cal sleep pgrep pidof ps
  pstree which whereis type command cd test [ : column file grep egrep fgrep zgrep zcat bzcat xzcat zstdcat rg wc ag
  sort shuf uniq iconv less more bat tree xxd jq yq hostname nm objdump size strings readelf c++filt addr2line tokei
  cloc shellcheck find fd fdfind sed gsed awk gawk mawk nawk env xargs nice timeout time git printf lsof ss read
  export source . set shopt unset local declare hash history help jobs wait return exit break continue shift tput man
  info bc sw_vers lsb_release getent journalctl ldd unzip tar
  lsblk arch nohup stdbuf readonly mapfile`.split(/\s+/);

/** Programs that only look, and the options by which some do more. */
export const reading: ProgramTable = {
  ...each(
    `cat tac nl rev fold fmt expand unexpand comm readlink realpath sum cksum md5sum sha1sum sha224sum sha256sum
    sha384sum sha512sum b2sum shasum md5 pr tsort look lsattr getfacl pathchk hexdump base32 zipinfo tokei strings nm
    objdump size readelf c++filt addr2line ldd`,
    program({}),
  ),
  ...each("head tail", program({ takes: "n c lines bytes" })),
  ...each("cut paste", program({ takes: "d f b c delimiter fields characters bytes" })),
  cmp: program({ takes: "i n bytes ignore-initial" }),
  diff: program({
    takes: "U C L I x W F label ignore-matching-lines exclude width",
    reads: "from-file to-file",
    below: "r recursive N",
  }),
  join: program({ takes: "1 2 t e o a v j" }),
  od: program({ takes: "A j N S t" }),
  stat: program({ takes: "c format printf" }),
  ...each("ls dir vdir", program({ takes: "I w T ignore hide width tabsize block-size", below: "R recursive" })),
  du: program({ takes: "d B t max-depth exclude block-size", reads: "X exclude-from files0-from" }),
  df: program({ takes: "t x B type exclude-type block-size" }),
  ...each(
    `echo true false pwd whoami id groups logname tty nproc uptime free uname seq yes expr factor numfmt basename
    dirname printenv tr getconf locale lscpu lsblk lsusb lspci lsmod who last users cal sleep tput pgrep pidof pstree
    vmstat iostat type which whereis times dirs sw_vers clear reset hostid test [ : lsb_release lsof ss netstat w printf
    cd pushd popd set shift break continue return exit logout fg bg disown suspend umask ulimit unalias caller shopt
    help wait bc`,
    program({ operands: "any" }),
  ),
  column: program({ takes: "s c o N separator" }),
  file: program({ takes: "F P e m separator exclude", reads: "f files-from" }),
  ...each(
    "grep egrep fgrep",
    program({
      operands: "pattern",
      reads: "f file",
      takes:
        "A B C m after-context before-context context max-count include exclude exclude-dir d D directories devices label",
      texts: "e regexp",
      below: "r R recursive dereference-recursive d directories",
    }),
  ),
  ...each("zgrep zcat bzcat xzcat zstdcat", program({ does: ["exec"] })),
  rg: program({
    operands: "pattern",
    reads: "f file ignore-file",
    takes:
      "A B C m g t T r M j E after-context before-context context max-count glob iglob type type-not type-add replace max-columns threads encoding max-depth max-filesize sort sortr color colors",
    texts: "e regexp",
    runs: "pre hostname-bin",
    knows: "files type-list",
    below: "always",
  }),
  wc: program({ reads: "files0-from" }),
  ag: program({
    operands: "pattern",
    takes: "G m depth ignore ignore-dir",
    runs: "pager",
    below: "always",
  }),
  ...each("jq yq", program({ operands: "pattern", reads: "f from-file L library-path", writes: "i inplace" })),
  sort: program({
    takes: "k t S key field-separator buffer-size parallel batch-size sort",
    reads: "files0-from",
    writes: "o output T temporary-directory",
    runs: "compress-program",
  }),
  shuf: program({ takes: "i n input-range head-count", writes: "o output" }),
  iconv: program({ takes: "f t from-code to-code", writes: "o output" }),
  base64: program({ takes: "w wrap b", reads: "i", writes: "o" }),
  ...each("less more most man info", program({ does: ["exec"], writes: "o O log-file", runs: "P pager" })),
  ...each("bat cloc", program({ does: ["exec"], takes: "l r language line-range style" })),
  shellcheck: program({ takes: "s e i f S shell exclude include format severity" }),
  journalctl: program({ operands: "any", does: ["read outside"] }),
  uniq: program({
    operands: "none",
    takes: "f s w skip-fields skip-chars check-chars",
    also: (_, does, { operands: [from, ...into] }) => {
      if (from) does.read(from);
      for (const file of into) does.write(file);
    },
  }),
  xxd: program({
    takes: "c l s o g cols len seek",
    also: (_, does, { operands: [, ...into] }) => {
      for (const file of into) does.write(file);
    },
  }),
  tree: program({ takes: "L I P H T charset filelimit sort", writes: "o", below: "always" }),
  ps: program({
    operands: "any",
    takes: "o O p C u U g G t s q k N format pid user sort",
    also(_, does, { operands, options }) {
      const shown = operands.some(({ shape }) => /^[a-zA-Z]*e[a-zA-Z]*$/.test(shape));
      if (!shown && !options.some(({ name }) => name === "E")) return;
      does.guard ??= "the variables of other programs may hold keys";
      does.level("high", does.guard);
    },
  }),
  date: program({
    operands: "any",
    reads: "f file r reference",
    takes: "d date",
    rows: [[/^(?!.*(?:-d|--date|-I|-R|--rfc|-r|-f)\b)(?:.* )?(?:-s|--set|[^-+\s])/, "high", "it sets the clock"]],
  }),
  hostname: program({
    operands: "any",
    rows: [[/^(?:[^-]|-[Fb]|--(?:file|boot))/, "high", "it renames the machine"]],
  }),
  getent: program({
    operands: "any",
    also: (_, does, { operands: [first] }) =>
      /^(?:passwd|group|services|protocols)$/.test(first?.text ?? "") ? undefined : does.effect("net"),
  }),
  dmesg: program({
    operands: "any",
    rows: [[/-[CcDEn]\b|--(?:clear|read-clear|console)/, "high", "it changes the log of the system"]],
  }),
  history: program({ operands: "any", writes: "w a", rows: [[/-\w*c/, "high", "it forgets the history"]] }),
};
