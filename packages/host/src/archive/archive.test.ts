import { afterAll, expect, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { createGzip, gunzipSync } from "node:zlib";
import { bytesRead, cpuSince, scratch, until } from "@pith/kit/test";
import { need } from "../../../../test/need.ts";
import { listArchive, pageMember, readMember, writeMember } from "./archive.ts";

const { path: dir } = scratch(afterAll);
const data = join(import.meta.dir, "../../../../test/data/files");
const { signal } = new AbortController();
const real = ["pack.zip", "pack.tar", "pack.tgz", "pack.tar.gz"].map((name) => join(data, name));
const names = async (path: string) => {
  const got = await listArchive(path, signal);
  return got.ok ? got.value.entries.map(({ name, type, size }) => `${name} ${type} ${size}`).sort() : got.message;
};
const text = async (path: string, name: string, max = 1 << 20) => {
  const got = await readMember(path, name, max, signal);
  return got.ok ? got.value.toString() : `${got.kind}: ${got.message.replace(`${path}: `, "")}`;
};
const at = (name: string) => join(dir, name);
const sh = (...command: string[]) => Bun.spawnSync(command, { cwd: dir, stdout: "pipe" }).stdout.toString();

test("what zip and tar packed is listed and read, long and non-ASCII names included", async () => {
  for (const path of real) {
    const long = `deep/${"long-".repeat(30)}name.txt`;
    expect(await names(path)).toEqual(
      [
        "deep directory 0",
        `${long} file 5`,
        "häß.txt file 7",
        "pixel.bin file 4",
        "src directory 0",
        "src/a.ts file 24",
        "src/empty file 0",
      ].sort(),
    );
    expect(await text(path, "src/a.ts")).toBe("one\ntwo\nthree\nfour\nfive\n");
    expect(await text(path, long)).toBe("deep\n");
    expect(await text(path, "häß.txt")).toBe("grüß\n");
    expect(await text(path, "src/b.ts")).toBe("no-member: there is no src/b.ts in it");
    expect(await text(path, "src")).toBe("no-member: there is no src in it");
  }
});

test("a member is replaced or added in every format, and all others stay as they were", async () => {
  for (const path of real) {
    const copy = at(path.slice(data.length + 1));
    writeFileSync(copy, readFileSync(path), { mode: 0o640 });
    for (const [name, content] of [
      ["src/a.ts", "changed\n"],
      [`new/${"x".repeat(120)}.txt`, "added\n"],
    ] as const) {
      expect(await writeMember(copy, { name, bytes: Buffer.from(content), changed: 1_700_000_000_000 })).toMatchObject({
        ok: true,
        value: { change: "replaced" },
      });
      expect(await text(copy, name)).toBe(content);
    }
    expect(await text(copy, "häß.txt")).toBe("grüß\n");
    expect((await names(copy)).length).toBe(8);
    expect(statSync(copy).mode & 0o777).toBe(0o640);
  }
});

test.skipIf(need("unzip") !== undefined)("what was written is an archive to unzip and tar", async () => {
  for (const path of real) {
    const copy = path.slice(data.length + 1);
    const zip = copy.endsWith(".zip");
    if (zip) expect(sh("unzip", "-tqq", copy)).toBe("");
    expect(zip ? sh("unzip", "-p", copy, "src/a.ts") : sh("tar", "-xOf", copy, "src/a.ts")).toBe("changed\n");
    expect(zip ? sh("unzip", "-p", copy, "src/empty") : sh("tar", "-xOf", copy, "pixel.bin").length.toString()).toBe(
      zip ? "" : "4",
    );
    if (!zip) expect(sh("tar", "-xOf", copy, `new/${"x".repeat(120)}.txt`)).toBe("added\n");
  }
});

test("a missing archive is made, with its directories", async () => {
  for (const name of ["a/b/new.zip", "a/new.tar", "a/new.tgz"]) {
    expect(await writeMember(at(name), { name: "x/y.txt", bytes: Buffer.from("hi"), changed: 0 })).toMatchObject({
      value: { change: "created" },
    });
    expect(await text(at(name), "x/y.txt")).toBe("hi");
  }
});

test("a broken archive says so and is not changed", async () => {
  for (const path of real) {
    const whole = readFileSync(path);
    for (const [how, bytes] of [
      ["cut", whole.subarray(0, (whole.length >> 1) - 100)],
      ["empty", Buffer.alloc(0)],
      ["noise", Buffer.from("not an archive at all, only a name that says so".repeat(20))],
    ] as const) {
      const copy = at(`broken-${how}${path.slice(path.lastIndexOf("pack") + 4)}`);
      writeFileSync(copy, bytes);
      const got = await listArchive(copy, signal);
      // An empty file is a tar without members, and of a tar that was cut the beginning can be read.
      if (how === "cut" && got.ok) expect(got.value.cut).toBe("damaged");
      else if (!(how === "empty" && copy.endsWith(".tar"))) expect(got).toMatchObject({ ok: false, kind: "broken" });
      const written = await writeMember(copy, { name: "x", bytes: Buffer.from("x"), changed: 0 });
      if (how !== "empty") expect(written.ok).toBe(false);
      if (!written.ok) expect(readFileSync(copy).equals(bytes)).toBe(true);
    }
  }
  expect(sh("sh", "-c", "ls -a | grep pith- || true")).toBe("");
});

test("what stands before the damage can be read", async () => {
  writeFileSync(at("half.tar"), readFileSync(join(data, "pack.tar")).subarray(0, 5000));
  expect(await names(at("half.tar"))).toContain("häß.txt file 7");
  expect(await text(at("half.tar"), "häß.txt")).toBe(await text(join(data, "pack.tar"), "häß.txt"));
  expect(await text(at("half.tar"), "nowhere")).toStartWith("broken:");
});

test("a tar is known by its bytes, not by its name", async () => {
  copyFileSync(join(data, "pack.tgz"), at("packed.tar"));
  copyFileSync(join(data, "pack.tar"), at("bare.tgz"));
  for (const name of ["packed.tar", "bare.tgz"]) {
    expect(await text(at(name), "src/a.ts")).toBe(await text(join(data, "pack.tar"), "src/a.ts"));
    await writeMember(at(name), { name: "x", bytes: Buffer.from("x"), changed: 0 });
  }
  expect([readFileSync(at("packed.tar"))[0], readFileSync(at("bare.tgz"))[0] === 0x1f]).toEqual([0x1f, false]);
});

test("hard links and symbolic links say where they lead", async () => {
  sh(
    "sh",
    "-c",
    "mkdir -p links/in; echo hi > links/a; ln links/a links/hard; ln -s ../a links/in/soft; ln -s /etc/passwd links/out; tar cf links.tar links",
  );
  const got = await listArchive(at("links.tar"), signal);
  const entries = got.ok
    ? Object.fromEntries(got.value.entries.map(({ name, type, target }) => [name, target ?? type]))
    : {};
  // Which of the two names of a file comes first is up to the directory.
  expect([entries["links/a"], entries["links/hard"]].sort()).toEqual([
    expect.stringMatching(/^links\/(?:a|hard)$|file/),
    expect.stringMatching(/^links\/(?:a|hard)$|file/),
  ]);
  expect(entries).toMatchObject({ "links/in/soft": "links/a", "links/out": "/etc/passwd" });
});

test.skipIf(need("tar") !== undefined)("a file with holes is read with its zeros, however tar wrote it", async () => {
  const holes = Buffer.alloc(300_000);
  holes.write("first", 0);
  holes.write("middle", 150_000);
  writeFileSync(at("holes"), "first");
  truncateSync(at("holes"), holes.length);
  const fd = openSync(at("holes"), "r+");
  writeSync(fd, "middle", 150_000);
  closeSync(fd);
  for (const format of [
    "--format=gnu",
    "--format=pax",
    "--format=pax --sparse-version=0.1",
    "--format=pax --sparse-version=0.0",
  ]) {
    sh("sh", "-c", `tar ${format} -cSf holes.tar holes`);
    expect([format, await names(at("holes.tar"))]).toEqual([format, ["holes file 300000"]]);
    const got = await readMember(at("holes.tar"), "holes", 1 << 20, signal);
    expect([format, got.ok && got.value.equals(holes)]).toEqual([format, true]);
  }
});

test.skipIf(need("python3") !== undefined || need("unzip") !== undefined)(
  "a zip keeps what stands before it and its remark, and a link becomes a file when it is written",
  async () => {
    const make = [
      "import zipfile, io",
      "out = io.BytesIO(); z = zipfile.ZipFile(out, 'w'); z.writestr('z1', 'hi\\n')",
      "link = zipfile.ZipInfo('zl'); link.create_system = 3; link.external_attr = 0o120777 << 16; z.writestr(link, 'z1')",
      "z.comment = b'PK\\5\\6 remark'; z.close(); open('self.zip', 'wb').write(b'#!/bin/sh\\n' + out.getvalue())",
    ];
    sh("python3", "-c", make.join("\n"));
    expect(await names(at("self.zip"))).toEqual(["z1 file 3", "zl link 0"]);
    expect(await listArchive(at("self.zip"), signal)).toMatchObject({ value: { entries: [{}, { target: "z1" }] } });
    expect(await text(at("self.zip"), "z1")).toBe("hi\n");
    expect(await writeMember(at("self.zip"), { name: "zl", bytes: Buffer.from("own\n"), changed: 0 })).toMatchObject({
      ok: true,
    });
    expect(readFileSync(at("self.zip"), "latin1")).toStartWith("#!/bin/sh\nPK");
    expect(sh("unzip", "-z", "self.zip")).toContain("remark");
    expect(sh("unzip", "-tqq", "self.zip")).toBe("");
    expect(sh("sh", "-c", "zipinfo self.zip zl")).toStartWith("-rw");
  },
);

test("a file is not put where a directory is, nor below a file", async () => {
  for (const name of ["fit.zip", "fit.tar"]) {
    const put = (member: string) => writeMember(at(name), { name: member, bytes: Buffer.from("x"), changed: 0 });
    expect(await put("a/b.txt")).toMatchObject({ ok: true });
    expect(await put("a")).toMatchObject({ ok: false, kind: "directory" });
    expect(await put("a/b.txt/c")).toMatchObject({ ok: false, kind: "not-directory" });
    expect(await names(at(name))).toEqual(["a/b.txt file 1"]);
  }
});

test("names as DOS wrote them are told apart", async () => {
  await writeMember(at("dos.zip"), { name: "cafX.txt", bytes: Buffer.from("x"), changed: 0 });
  writeFileSync(
    at("dos.zip"),
    Buffer.from(readFileSync(at("dos.zip"), "latin1").replaceAll("cafX", "caf\x82"), "latin1"),
  );
  expect(await names(at("dos.zip"))).toEqual(["café.txt file 1"]);
});

test("a flipped byte in a member is noticed", async () => {
  const bytes = Buffer.from(readFileSync(join(data, "pack.zip")));
  const start = bytes.indexOf("src/empty");
  const at0 = bytes.indexOf("grüß");
  if (at0 !== -1) bytes[at0] = 0x58;
  else bytes[start + 60] = (bytes[start + 60] ?? 0) ^ 0xff;
  writeFileSync(at("flipped.zip"), bytes);
  const answers = await Promise.all(["häß.txt", "src/a.ts", "pixel.bin"].map((name) => text(at("flipped.zip"), name)));
  expect(answers.some((answer) => answer.startsWith("broken:"))).toBe(true);
});

/** 300 MB of zeros in 300 KB. */
async function bomb(path: string, header: (size: number) => Buffer) {
  const size = 300 * 1024 * 1024;
  const gzip = createGzip({ level: 9 });
  const out: Buffer[] = [];
  gzip.on("data", (piece: Buffer) => out.push(piece));
  const done = new Promise((end) => gzip.on("end", end));
  gzip.write(header(size));
  const zeros = Buffer.alloc(1024 * 1024);
  for (let i = 0; i < 300; i++) if (!gzip.write(zeros)) await new Promise((ready) => gzip.once("drain", ready));
  gzip.end();
  await done;
  writeFileSync(path, Buffer.concat(out));
}

test("a bomb is answered soon and in little memory", async () => {
  const head = Buffer.from(gunzipSync(readFileSync(join(data, "pack.tgz"))).subarray(0, 512));
  await bomb(at("bomb.tgz"), (size) => {
    head.fill(0, 0, 100).write("huge.bin", 0);
    head.write(`${size.toString(8).padStart(11, "0")}\0`, 124).toString();
    head.write("        ", 148);
    head.write("0", 156);
    head.write(
      `${head
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, "0")}\0 `,
      148,
    );
    return head;
  });
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  const began = process.cpuUsage();
  expect(await listArchive(at("bomb.tgz"), signal)).toMatchObject({
    ok: true,
    value: { entries: [{ name: "huge.bin" }], cut: "absurd" },
  });
  expect(await text(at("bomb.tgz"), "huge.bin")).toStartWith("large:");
  expect(await text(at("bomb.tgz"), "other")).toStartWith("no-member:");
  expect(cpuSince(began)).toBeLessThan(10_000);
  // A third less than the bomb holds. What nobody holds any more is not counted.
  Bun.gc(true);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

test("a zip member that lies about its size is stopped while it is unpacked", async () => {
  expect(
    await writeMember(at("liar.zip"), { name: "a.txt", bytes: Buffer.alloc(8 * 1024 * 1024), changed: 0 }),
  ).toMatchObject({ ok: true });
  const bytes = readFileSync(at("liar.zip"));
  bytes.writeUInt32LE(10, bytes.lastIndexOf("PK\x01\x02") + 24);
  writeFileSync(at("liar.zip"), bytes);
  expect(await text(at("liar.zip"), "a.txt", 1024 * 1024)).toBe("large: a.txt unpacks to more than 1MB");
});

test("names that lead out of the archive stay names", async () => {
  expect(await writeMember(at("evil.tar"), { name: "a", bytes: Buffer.from("x"), changed: 0 })).toMatchObject({
    ok: true,
  });
  const bytes = readFileSync(at("evil.tar"));
  bytes.fill(0, 0, 100).write("/../../etc/./passwd", 0);
  bytes.write("        ", 148);
  bytes.write(
    `${bytes
      .subarray(0, 512)
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
  );
  writeFileSync(at("evil.tar"), bytes);
  expect(await names(at("evil.tar"))).toEqual(["../../etc/passwd file 1"]);
});

test("a directory, a missing file and one without rights are told as such", async () => {
  mkdirSync(at("folder.zip"));
  expect(await listArchive(at("folder.zip"), signal)).toMatchObject({ kind: "directory" });
  expect(await listArchive(at("gone.tar"), signal)).toMatchObject({ kind: "missing" });
  writeFileSync(at("fixed.zip"), readFileSync(join(data, "pack.zip")));
  chmodSync(at("fixed.zip"), 0o444);
  expect(await writeMember(at("fixed.zip"), { name: "x", bytes: Buffer.from("x"), changed: 0 })).toMatchObject({
    ok: false,
    kind: "denied",
  });
});

test("a large sparse tar is walked without being read", async () => {
  expect(await writeMember(at("sparse.tar"), { name: "big", bytes: Buffer.from(""), changed: 0 })).toMatchObject({
    ok: true,
  });
  const bytes = Buffer.from(readFileSync(at("sparse.tar")).subarray(0, 512));
  bytes.write(`${(2 ** 31).toString(8).padStart(11, "0")}\0`, 124);
  bytes.write("        ", 148);
  bytes.write(
    `${bytes
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
  );
  writeFileSync(at("sparse.tar"), bytes);
  truncateSync(at("sparse.tar"), 512 + 2 ** 31 + 1024);
  const before = bytesRead();
  expect(await names(at("sparse.tar"))).toEqual([`big file ${2 ** 31}`]);
  expect(bytesRead() - before).toBeLessThan(2 ** 24);
  expect(existsSync(at("sparse.tar"))).toBe(true);
});

test("whatever is done to its bytes, an archive is answered for, and nothing is left behind", async () => {
  let seed = 7;
  const chance = (below: number) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed % below;
  };
  for (const path of real) {
    const copy = at(`hurt${path.slice(path.lastIndexOf("pack") + 4)}`);
    for (let round = 0; round < 60; round++) {
      const bytes = Buffer.from(readFileSync(path));
      for (let i = 0; i <= chance(6); i++) bytes[chance(bytes.length)] = chance(256);
      writeFileSync(copy, round % 4 === 0 ? bytes.subarray(0, chance(bytes.length)) : bytes);
      const listed = await listArchive(copy, signal);
      for (const { name } of listed.ok ? listed.value.entries : []) await readMember(copy, name, 1 << 20, signal);
      await writeMember(copy, { name: "x", bytes: Buffer.from("x"), changed: 0 });
    }
  }
  await until(() => sh("sh", "-c", "ls -a | grep pith- || true") === "", "nothing left behind");
});

test("reading stops when it is told to", async () => {
  const stopped = AbortSignal.abort();
  for (const path of real.slice(1))
    expect(await listArchive(path, stopped)).toMatchObject({ ok: false, kind: "aborted" });
});

test("lines of a member are read as it is unpacked, the last of its name", async () => {
  const request = { from: 2, to: 3, maxLines: 10, maxBytes: 1000 };
  const lines = async (path: string, name: string) => {
    const page = await pageMember(path, name, request);
    return page.ok ? page.value.lines : page.message.replace(path, "");
  };
  for (const path of real) expect([path, await lines(path, "src/a.ts")]).toEqual([path, ["two", "three"]]);
  for (const path of real) expect(await lines(path, "src/none.ts")).toContain("there is no src/none.ts");
  mkdirSync(at("again"), { recursive: true });
  writeFileSync(at("again/x.txt"), "1\n2\n3\n");
  sh("tar", "-cf", "again.tar", "again/x.txt");
  writeFileSync(at("again/x.txt"), "a\nb\nc\n");
  sh("tar", "-rf", "again.tar", "again/x.txt");
  expect(await lines(at("again.tar"), "again/x.txt")).toEqual(["b", "c"]);
  writeFileSync(at("plain.log.gz"), Bun.gzipSync(Buffer.from("1\n2\n3\n4\n")));
  expect(await lines(at("plain.log.gz"), "plain.log")).toEqual(["2", "3"]);
  expect((await writeMember(at("plain.log.gz"), { name: "x", bytes: new Uint8Array(), changed: 0 })).ok).toBe(false);
});

test.skipIf(need("xz") !== undefined)("what the system unpacks is not written, and damage in it is told", async () => {
  writeFileSync(at("x.txt"), "one\ntwo\n");
  sh("tar", "-cJf", "sys.tar.xz", "x.txt");
  expect(await text(at("sys.tar.xz"), "x.txt")).toBe("one\ntwo\n");
  const put = await writeMember(at("sys.tar.xz"), { name: "y", bytes: new Uint8Array(), changed: 0 });
  expect(put).toMatchObject({ ok: false, kind: "unsupported" });
  expect(await text(at("sys.tar.xz"), "x.txt")).toBe("one\ntwo\n");
  const bytes = readFileSync(at("sys.tar.xz"));
  writeFileSync(at("torn.tar.xz"), bytes.subarray(0, 40));
  expect(await listArchive(at("torn.tar.xz"), signal)).toMatchObject({ ok: false, kind: "broken" });
});
