import { expect, test } from "bun:test";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import { findSecrets } from "./scan.ts";
import { Secrets, withoutKeys } from "./secrets.ts";

// Keys are put together here, so that no reader of this repository takes one for real.
const some = (length: number, signs = "aB3dE5fG7hJ9kLmN0pQrS2tUvW4xYz6") =>
  Array.from({ length }, (_, at) => signs[(at * 7 + 3) % signs.length]).join("");
const capitals = (length: number) => some(length, "ABCDEFGHJKLMNPQRSTUVWXYZ234567");
const hex = (length: number) => some(length, "0123456789abcdef");

const keys: Readonly<Record<string, string>> = {
  "a key of AWS": `AKIA${capitals(16)}`,
  "a token of GitHub": `ghp_${some(36)}`,
  "a fine token of GitHub": `github_pat_${some(22)}_${some(59)}`,
  "a token of GitLab": `glpat-${some(20)}`,
  "a token of Slack": `xoxb-${hex(12)}-${some(24)}`,
  "a key of Stripe": `sk_live_${some(24)}`,
  "a key of Anthropic": `sk-ant-api03-${some(60)}`,
  "a key of OpenAI": `sk-proj-${some(60)}`,
  "an old key of OpenAI": `sk-${some(48)}`,
  "a key of Google": `AIza${some(35)}`,
  "a token of npm": `npm_${some(36)}`,
  "a token of PyPI": `pypi-AgEIcHlwaS5vcmc${some(50)}`,
  "a key of SendGrid": `SG.${some(22)}.${some(43)}`,
  "a token of Telegram": `123456789:AA${some(33)}`,
  "a token of three parts": `eyJ${some(20)}.eyJ${some(30)}.${some(43)}`,
  "a key of DigitalOcean": `dop_v1_${hex(64)}`,
  "a key of Hugging Face": `hf_${some(34, "aBdEfGhJkLmNpQrStUvWxYz")}`,
  "a key of Twilio": `SK${hex(32)}`,
};

const pem = ["-----BEGIN RSA PRIVATE KEY-----", some(64), some(64), `${some(20)}=`, "-----END RSA PRIVATE KEY-----"];

const hidden = (text: string) => findSecrets(text).map(({ start, end }) => text.slice(start, end));

test.each(Object.entries(keys))("%s is hidden wherever it stands", (_, key) => {
  const part = key.replace(/^\d+:/, "");
  for (const around of [
    "K",
    `"K"`,
    "x=K;",
    "12:  token: K",
    '{"a":"b\\nK"}',
    "https://x.y/?key=K&b=1",
    "a\nK\nb",
    "(K)",
  ])
    expect(hidden(around.replace("K", () => key)).join("")).toContain(part);
});

test("a private key is hidden line by line, also behind line numbers and signs of a diff, and its frame stays", () => {
  for (const lead of ["", "+", "12:", "  7|", "src/a.pem:3:"]) {
    const text = pem.map((line) => `${lead}${line}`).join("\n");
    expect(hidden(text)).toEqual(pem.slice(1, -1));
  }
  expect(hidden(JSON.stringify({ key: pem.join("\n") }))).toEqual(pem.slice(1, -1));
  expect(hidden('if (text.includes("-----BEGIN PRIVATE KEY-----")) return "a key begins here";')).toEqual([]);
});

const given: [string, string[]][] = [
  ["DB_PASSWORD=hunter22", ["hunter22"]],
  ["export API_KEY='a1b2c3d4e5'", ["a1b2c3d4e5"]],
  [`aws_secret_access_key = ${some(40)}`, [some(40)]],
  [`{"client_secret": "${some(24)}"}`, [some(24)]],
  [`password: "tr0ub4dor&3"`, ["tr0ub4dor&3"]],
  [`postgres://app:s3cr3t-pw@db.local:5432/app`, ["s3cr3t-pw"]],
  [`//registry.local/:_authToken=${some(36)}`, [some(36)]],
  [`apiToken=${hex(32)}`, [hex(32)]],
];
test.each(given)("what a name says is a key is hidden: %s", (text, values) => {
  expect(hidden(text)).toEqual(values);
});

const plain: string[] = [
  "commit 3f786850e387550fdab836ed7e6dc881de23001b",
  "550e8400-e29b-41d4-a716-446655440000",
  `"integrity": "sha512-${some(86)}==",`,
  `data:image/png;base64,${some(4000)}`,
  "const token = lexer.next(); let password = getPassword(user); this.apiKey = options.apiKey;",
  "password: string; token?: string; secret: z.string().min(8), auth: { user, pass: process.env.PASS }",
  `API_KEY=\${API_KEY} TOKEN=$(cat token) SECRET=<your-secret> PASSWORD=changeme KEY=xxxxxxxxxxxx`,
  "postgres://user:password@localhost/db http://user:$PASS@host git@github.com:a/b.git",
  "max_tokens: 4096, next_token: 'abc', primary_key: 'user_id_1', X_TOKEN = 'x-access-token'",
  "task-runner-with-a-very-long-hyphenated-name-indeed sk-loading-spinner-circle-fade-dot-animation",
  "Author: a <a@b.c>  https://example.com:8080/path?x=1:2@3  12:34:56",
  some(2000).replace(/(.{76})/g, "$1\n"),
];
test("what is no key stays as it is: hashes, names, expressions, pictures, what only stands for a key", () => {
  for (const text of plain) expect(hidden(text)).toEqual([]);
});

const esc = "\u001b";
const github = keys["a token of GitHub"] as string;
const coloured: [string, string][] = [
  [`${esc}[31m${github}${esc}[0m`, `${esc}[31mS${esc}[0m`],
  [`x=${esc}[01;31m${esc}[K${github}${esc}[m${esc}[K y`, `x=${esc}[01;31m${esc}[KS${esc}[m${esc}[K y`],
  [`${github.slice(0, 9)}${esc}[1m${github.slice(9)}!`, "S!"],
  [`${github.slice(0, 9)}\0\b${github.slice(9)}!`, "S!"],
  [`a ${esc}]8;;https://x.test/?t=${github}\u0007b`, `a ${esc}]8;;https://x.test/?t=S\u0007b`],
  [`DB_${esc}[1mPASSWORD${esc}[0m=hunter22`, `DB_${esc}[1mPASSWORD${esc}[0m=S`],
  [`[31m${github}[0m`, "[31mS[0m"],
  [String.raw`"a\u003d${github}"`, String.raw`"a\u003dS"`],
  [`behind${github} 1${github}`, "behindS 1S"],
];
test.each(coloured)("a key is hidden whatever colours or letters stand in it or before it: %j", (text, masked) => {
  using dir = scratch();
  const open = () => new Secrets({ env: {}, home: dir.path });
  const seen = (said: string) => said.replaceAll(/\[\[secret:\w{8}\]\]/g, "S");
  expect(seen(open().mask(text))).toBe(masked);
  const stream = open().stream();
  const bytes = [...Buffer.from(`${text}\n`)].map((byte) => stream.push(Buffer.from([byte])));
  expect(seen(Buffer.concat([...bytes, stream.end()]).toString())).toBe(`${masked}\n`);
});

test("a key that was met once is known wherever it stands, by the same name", () => {
  using dir = scratch();
  const secrets = new Secrets({ env: {}, home: dir.path });
  const key = keys["a key of AWS"] as string;
  expect(secrets.mask(`behind${key}`)).toContain(key);
  const name = secrets.mask(key);
  expect(secrets.mask(`behind${key}`)).toBe(`behind${name}`);
  expect(secrets.mask(`${key.slice(0, 9)}${esc}[1m${key.slice(9)}`)).toBe(name);
});

test("lockfiles, pages and sources of this repository hold nothing that is taken for a key", () => {
  const root = join(import.meta.dir, "../../../..");
  const globs = ["bun.lock", "*.md", "docs/**/*.md", "packages/{kit,agent,tui}/src/**/*.ts"];
  const names = globs.flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: root })]);
  expect(names.length).toBeGreaterThan(100);
  for (const name of names) expect([name, hidden(readFileSync(join(root, name), "utf8"))]).toEqual([name, []]);
});

test("a secret has one name, through a session and the next, and another for every home", () => {
  using dir = scratch();
  const open = (home: string) => new Secrets({ env: {}, home: dir.at(home) });
  const key = keys["a token of GitHub"] as string;
  const name = open("a").mask(key);
  expect(name).toMatch(/^\[\[secret:[0-9a-f]{8}\]\]$/);
  expect([open("a").mask(`x ${key}`), open("b").mask(key) === name]).toEqual([`x ${name}`, false]);
  expect(statSync(dir.at("a", "mask.key")).mode & 0o777).toBe(0o600);
});

test("where the key cannot be kept, secrets are hidden all the same", () => {
  using dir = scratch();
  dir.write({ "home/.keep": "" });
  chmodSync(dir.at("home"), 0o500);
  expect(new Secrets({ env: {}, home: dir.at("home") }).mask(keys["a key of AWS"] as string)).toStartWith("[[secret:");
  chmodSync(dir.at("home"), 0o700);
});

test("values of the environment and of stored keys are hidden wherever they stand, words and paths are not", () => {
  using dir = scratch();
  const env = { MY_TOKEN: "plain-looking 1", EDITOR: "vim", SSH_AUTH_SOCK: "/run/agent.sock", APP_SECRET: "password" };
  const secrets = new Secrets({ env, home: dir.path, keys: () => ["stored-key-value-1"] });
  const quoted = JSON.stringify("x plain-looking 1");
  const text = `a plain-looking 1 b stored-key-value-1 ${quoted} vim password /run/agent.sock`;
  expect(secrets.mask(text).replaceAll(/[0-9a-f]{8}/g, "N")).toBe(
    'a [[secret:N]] b [[secret:N]] "x [[secret:N]]" vim password /run/agent.sock',
  );
});

test("however a stream is cut, what comes out is what the whole would be", () => {
  using dir = scratch();
  const env = { A_TOKEN: "zwölf-Käse-12345" };
  const secrets = new Secrets({ env, home: dir.path });
  const whole = [...Object.values(keys), ...pem, "é A zwölf-Käse-12345 ü", "PASSWORD=s3cr3t!!", "the end"].join("\r\n");
  const expected = secrets.mask(whole);
  const bytes = Buffer.from(whole);
  for (let step = 1; step < 200; step += step < 40 ? 1 : 13) {
    const stream = secrets.stream();
    const out: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += step) out.push(stream.push(bytes.subarray(at, at + step)));
    out.push(stream.end());
    expect([step, Buffer.concat(out).toString("utf8")]).toEqual([step, expected]);
  }
});

test("a line without an end does not hold its stream back for ever, and a key in it is hidden", () => {
  using dir = scratch();
  const stream = new Secrets({ env: {}, home: dir.path }).stream();
  const key = keys["a token of npm"] as string;
  const line = `${"word ".repeat(60_000)}${key} ${"word ".repeat(60_000)}`;
  const out: Uint8Array[] = [];
  for (let at = 0; at < line.length; at += 1000) out.push(stream.push(Buffer.from(line.slice(at, at + 1000))));
  expect(Buffer.concat(out).length).toBeGreaterThan(400_000);
  out.push(stream.end());
  expect(Buffer.concat(out).toString()).not.toContain(key);
});

test("names become values only for the file that holds them, also for a session that is gone on with", () => {
  using dir = scratch();
  const open = () => new Secrets({ env: {}, home: dir.path });
  const file = `A=1\nAPI_TOKEN=${some(24)}\n${pem.join("\n")}\n`;
  const shown = open().mask(file);
  expect(shown).not.toContain(some(24));
  expect(open().restore(file, shown)).toBe(file);
  expect(open().restore("another file", shown)).toBe(shown);
  const part = `12:${shown.split("\n")[1]}`;
  expect(open().restore(file, part)).toBe(`12:API_TOKEN=${some(24)}`);
});

test("what a vendor signed, an image and the ids of an entry are never touched", () => {
  using dir = scratch();
  const secrets = new Secrets({ env: {}, home: dir.path });
  const key = keys["a key of AWS"] as string;
  const entry = {
    id: key,
    message: {
      content: [
        { type: "thinking", thinking: key, thinkingSignature: key },
        { type: "image", data: key },
        { type: "text", text: key, textSignature: key },
      ],
    },
  };
  const made = secrets.maskAll(entry);
  const name = secrets.mask(key);
  expect([made.id, made.message.content]).toEqual([
    key,
    [entry.message.content[0], entry.message.content[1], { type: "text", text: name, textSignature: key }] as never,
  ]);
  const clean = { a: ["b", { c: 1 }] };
  expect(secrets.maskAll(clean)).toBe(clean);
});

test("commands get no variable that holds a key, but those that the user lets through", () => {
  const env = {
    PATH: "/bin",
    HOME: "/h",
    ANTHROPIC_API_KEY: "x",
    NPM_TOKEN: "n",
    DATABASE_URL: "postgres://a:pa55word@h/d",
    ODD: keys["a token of GitHub"],
    SSH_AUTH_SOCK: "/run/x",
    GOOGLE_APPLICATION_CREDENTIALS: "/h/key.json",
    KEYBOARD: "de",
    MAX_TOKENS: "5",
  };
  const { env: rest, keys: taken } = withoutKeys(env, "NPM_TOKEN, OTHER");
  expect(Object.keys(taken).sort()).toEqual(["ANTHROPIC_API_KEY", "DATABASE_URL", "ODD"]);
  expect(Object.keys(rest)).toContain("NPM_TOKEN");
  expect(Object.keys(rest)).toHaveLength(7);
});

test("what a header of authorization carries is hidden, and what only tells of one is not", () => {
  const said = some(28);
  for (const line of [
    `> Authorization: Bearer ${said}`,
    `-H "authorization: token ${said}"`,
    `{\\"Authorization\\": \\"Bearer ${said}\\"}`,
    `headers: { 'Proxy-Authorization': 'Basic ${said}==' }`,
  ])
    expect([line, hidden(line).length, hidden(line)[0]?.startsWith(said)]).toEqual([line, 1, true]);
  for (const line of [
    "Authorization: Bearer $TOKEN",
    "authorization: bearer-token-authentication",
    "Authorization: Bearer <your token>",
    "description: Authorization and so on",
  ])
    expect([line, hidden(line)]).toEqual([line, []]);
});

test("a cloud's key with a single figure in it is hidden in a file of credentials", () => {
  const key = `${some(20, "aBdEfGhJkLmNpQrStUvWxYz")}/7${some(18, "ZyXwVuTsRqPoNmLkJhGfEdCbA")}`;
  expect(hidden(`aws_secret_access_key = ${key}`)).toEqual([key]);
});

test("what a model streams hides the same, however it is cut, and lets go of a word when it has ended", () => {
  using dir = scratch();
  const whole = [
    ...Object.values(keys),
    "PASSWORD=s3cr3t!!",
    `API_KEY = "two words 12"`,
    ...pem,
    "é ü 漢字 zwölf-Käse-12345 b end",
  ];
  const text = whole.join("\r\n");
  for (const [type, said] of [
    ["text", text],
    ["thinking", text],
    ["args", JSON.stringify({ content: text })],
  ] as const)
    for (const env of [{}, { A_TOKEN: "zwölf-Käse-12345 b" }])
      for (let step = 1; step < 60; step += step < 12 ? 1 : 7) {
        const secrets = new Secrets({ env, home: dir.path });
        const expected = type === "args" ? JSON.stringify({ content: secrets.mask(text) }) : secrets.mask(said);
        const deltas = secrets.deltas();
        const out = [];
        for (let at = 0; at < said.length; at += step)
          out.push(...deltas([{ type, index: 0, delta: said.slice(at, at + step) }]));
        out.push(...deltas([{ type: "stop", reason: "stop" }]));
        const told = out.map((event) => ("delta" in event ? event.delta : "")).join("");
        expect([type, step, told]).toEqual([type, step, expected]);
        expect(out.at(-1)?.type).toBe("stop");
      }
  const deltas = new Secrets({ env: {}, home: dir.path }).deltas();
  const [now, then] = ["The quick bro", "wn fox"].map((delta) => deltas([{ type: "text", index: 0, delta }]));
  expect([now, then]).toEqual([
    [{ type: "text", index: 0, delta: "The quick " }],
    [{ type: "text", index: 0, delta: "brown " }],
  ]);
});

test("what was held of a thought is told before the words that follow it", () => {
  using dir = scratch();
  const deltas = new Secrets({ env: {}, home: dir.path }).deltas();
  const told = [
    ...deltas([{ type: "thinking", index: 0, delta: "hm" }]),
    ...deltas([{ type: "text", index: 1, delta: "At last." }]),
    ...deltas([{ type: "stop", reason: "stop" }]),
  ];
  expect(told.flatMap((event) => ("delta" in event ? [event.delta] : []))).toEqual(["hm", "At ", "last."]);
});

test("a long line without a gap hides a value wherever the line is cut", () => {
  using dir = scratch();
  const value = "zwoelf-Kaese-12345-und-mehr";
  const secrets = new Secrets({ env: { A_TOKEN: value }, home: dir.path });
  for (let before = 65_400; before < 65_700; before += 7) {
    const line = Buffer.from(`${"x".repeat(before)},${value},${"y".repeat(80_000)}`);
    const stream = secrets.stream();
    const out: Uint8Array[] = [];
    for (let at = 0; at < line.length; at += 997) out.push(stream.push(line.subarray(at, at + 997)));
    const early = Buffer.concat(out).length;
    out.push(stream.end());
    const text = Buffer.concat(out).toString();
    expect([before, text.includes("Kaese"), early > 60_000]).toEqual([before, false, true]);
    expect(text.replace(/\[\[secret:\w+\]\]/, value)).toBe(line.toString());
  }
});

test("a private key that a model streams is hidden behind line numbers and signs too, however it is cut", () => {
  using dir = scratch();
  for (const lead of ["", "+", "12: ", "  7| ", "    "]) {
    const said = ["Here it is:", ...pem.map((line) => `${lead}${line}`), "the end"].join("\n");
    for (let step = 1; step < 90; step += step < 12 ? 1 : 13) {
      const deltas = new Secrets({ env: {}, home: dir.path }).deltas();
      const out = [];
      for (let at = 0; at < said.length; at += step)
        out.push(...deltas([{ type: "text", index: 0, delta: said.slice(at, at + step) }]));
      out.push(...deltas([{ type: "stop", reason: "stop" }]));
      const told = out.map((event) => ("delta" in event ? event.delta : "")).join("");
      const shown = pem
        .slice(1, -1)
        .filter((line) => told.includes(line.slice(0, 12)) || told.includes(line.slice(-12)));
      expect([lead, step, shown]).toEqual([lead, step, []]);
      expect(told.split("\n").length).toBe(said.split("\n").length);
    }
  }
});
