import { expect, test } from "bun:test";
import { lstatSync, readdirSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { need } from "../../../../../test/need.ts";
import { type Abi, abiOf, darwin, deviceOf, linux, openat2, statxBasic, variadic } from "./abi.ts";
import { mustTellTheSame, openAt } from "./at.ts";

/** Words of the table, in the language of the headers. */
const asked = {
  toPass: "O_PATH",
  closeOnExec: "O_CLOEXEC",
  here: "AT_FDCWD",
  noFollow: "AT_SYMLINK_NOFOLLOW",
  removeFolder: "AT_REMOVEDIR",
  openat2: "SYS_openat2",
  noLinks: "RESOLVE_NO_SYMLINKS",
  noMagicLinks: "RESOLVE_NO_MAGICLINKS",
  howBytes: "sizeof(struct open_how)",
  statxBasic: "STATX_BASIC_STATS",
  statBytes: "sizeof(struct statx)",
  link: "DT_LNK",
  name: "offsetof(struct dirent, d_name)",
  type: "offsetof(struct dirent, d_type)",
  device: "makedev(0x12345678, 0x87654321)",
};
const fields = {
  major: "stx_dev_major",
  minor: "stx_dev_minor",
  mode: "stx_mode",
  nlink: "stx_nlink",
  ino: "stx_ino",
  uid: "stx_uid",
  gid: "stx_gid",
  size: "stx_size",
} as const satisfies Partial<Record<keyof Abi["stat"], string>>;
const times = { changed: "stx_ctime", touched: "stx_mtime" } as const;

test.skipIf(process.platform !== "linux" || need("cc") !== undefined)(
  "the table for Linux says what the headers of the C library say",
  async () => {
    using dir = scratch();
    const place = (field: string) => `offsetof(struct statx, ${field}), sizeof(((struct statx *)0)->${field})`;
    const rows = [
      ...Object.entries(asked).map(([key, value]) => `printf("${key} %lld\\n", (long long)(${value}));`),
      ...Object.entries(fields).map(([key, field]) => `printf("${key} %zu %zu\\n", ${place(field)});`),
      ...Object.entries(times).flatMap(([key, field]) =>
        ["tv_sec", "tv_nsec"].map((part) => `printf("${key}.${part} %zu %zu\\n", ${place(`${field}.${part}`)});`),
      ),
      `printf("length %zu %zu\\n", offsetof(struct dirent, d_reclen), sizeof(((struct dirent *)0)->d_reclen));`,
    ];
    const headers = ["dirent.h", "fcntl.h", "linux/openat2.h", "stddef.h", "stdio.h", "sys/stat.h"];
    const more = ["sys/syscall.h", "sys/sysmacros.h"];
    const includes = [...headers, ...more].map((name) => `#include <${name}>`).join("\n");
    dir.write({ "a.c": `#define _GNU_SOURCE\n${includes}\nint main(void) {\n${rows.join("\n")}\nreturn 0;\n}\n` });
    const made = Bun.spawnSync(["cc", "-o", dir.at("a"), dir.at("a.c")], { stderr: "pipe" });
    expect(made.stderr.toString()).toBe("");
    const said = new Map(
      Bun.spawnSync([dir.at("a")])
        .stdout.toString()
        .trim()
        .split("\n")
        .map((line) => line.split(" "))
        .map(([key = "", ...numbers]) => [key, numbers.map(Number)]),
    );
    const { stat, entry } = linux;
    const own = {
      toPass: [linux.toPass],
      closeOnExec: [linux.closeOnExec],
      here: [linux.here],
      noFollow: [linux.noFollow],
      removeFolder: [linux.removeFolder],
      openat2: [openat2.call],
      noLinks: [openat2.noLinks],
      noMagicLinks: [openat2.noMagicLinks],
      howBytes: [openat2.bytes],
      statxBasic: [statxBasic],
      statBytes: [stat.bytes],
      link: [entry.link],
      name: [entry.name],
      type: [entry.type],
      device: [Number(deviceOf(0x12345678n, 0x87654321n))],
      ...Object.fromEntries(Object.keys(fields).map((key) => [key, stat[key as keyof typeof fields]])),
      ...Object.fromEntries(
        (["changed", "touched"] as const).flatMap((key) => [
          [`${key}.tv_sec`, stat[key][0]],
          [`${key}.tv_nsec`, stat[key][1]],
        ]),
      ),
      length: entry.length,
    };
    expect(Object.fromEntries(said)).toEqual(own as never);
  },
);

test("a structure that is not as the table says is noticed before it is used", () => {
  if (!abiOf(process.platform, process.arch)) return;
  const way = openAt();
  expect(() => mustTellTheSame(way)).not.toThrow();
  const wrongly = (change: (of: ReturnType<typeof way.names>) => object) =>
    mustTellTheSame(
      Object.assign({}, way, { names: (fd: number) => Object.assign(way.names(fd, "/"), change(way.names(fd, "/"))) }),
    );
  expect(() => wrongly((names) => ({ list: () => names.list().slice(1) }))).toThrow("names are told wrongly");
  const real = lstatSync("/", { bigint: true });
  expect(() => wrongly(() => ({ stat: () => Object.assign(real, { size: real.size + 1n, uid: 77n }) }))).toThrow(
    "uid, size of a file are told wrongly",
  );
  expect(readdirSync("/").length).toBeGreaterThan(0);
});

test("a machine whose C library is elsewhere, or lacks a function, has no such way", () => {
  expect(abiOf("win32", "x64")).toBeUndefined();
  expect(abiOf("linux", "riscv64")).toBeUndefined();
  if (process.platform !== "linux") return;
  // There is no library of macOS here, and no function with its name.
  expect(() => openAt("darwin", "arm64")).toThrow();
});

test("what a function may leave out lies on the stack of Apple's ARM, behind eight registers, and nowhere else", () => {
  expect(variadic(["i32", "ptr", "i32"], ["u32"], "darwin-arm64")).toEqual({
    args: ["i32", "ptr", "i32", "u64", "u64", "u64", "u64", "u64", "u64"],
    filler: [0, 0, 0, 0, 0],
  });
  for (const other of ["darwin-x64", "linux-arm64", "linux-x64"])
    expect(variadic(["i32", "ptr", "i32"], ["u32"], other)).toEqual({ args: ["i32", "ptr", "i32", "u32"], filler: [] });
});

test("only Macs with Intel processors have two names for what tells of files", () => {
  expect(darwin("x64").symbols).toEqual({
    fstatat: "fstatat$INODE64",
    fdopendir: "fdopendir$INODE64",
    readdir: "readdir$INODE64",
  });
  expect(darwin("arm64").symbols.fstatat).toBe("fstatat");
});
