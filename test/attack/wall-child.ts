// Attacks on the wall, run by a process of its own so that it can be another user's. Prints what each came to.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { openSandbox, Shell } from "../../packages/host/src/index.ts";

const base = mkdtempSync(join(process.argv[5] ?? process.cwd(), "pith-wall-"));
const at = (name: string) => join(base, name);
for (const dir of [
  "p/.git/hooks",
  "p/.git/objects",
  "p/.git/refs",
  "p/.git/info",
  "p/.github/workflows",
  "h/.ssh",
  "h/.pith",
  "out",
])
  mkdirSync(at(dir), { recursive: true });
const files: Record<string, string> = {
  "p/.git/HEAD": "ref: refs/heads/main\n",
  "p/.git/config": "[core]\n\tbare = false\n",
  "p/.github/workflows/ci.yml": "on: push\n",
  "h/.ssh/id_ed25519": "CANARY-ssh\n",
  "h/.pith/auth.json": "CANARY-pith\n",
  "h/.bashrc": "# mine\n",
  "out/file": "outside\n",
};
for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
// A repository that somebody else's .git file claims to belong to.
for (const dir of ["claimed/objects", "claimed/refs", "claimed/hooks", "p/forged"])
  mkdirSync(at(dir), { recursive: true });
writeFileSync(at("claimed/HEAD"), "ref: refs/heads/main\n");
writeFileSync(at("claimed/config"), "[core]\n");
writeFileSync(at("p/forged/.git"), `gitdir: ${at("claimed")}\n`);
symlinkSync(at("out"), at("p/link"));
const server = createServer((socket) => socket.end("CANARY-socket\n")).listen(at("out/sock"));
// Another program has bound a name that begins where it stands.
const relative = Bun.spawn(
  [
    process.execPath,
    "-e",
    'require("net").createServer((s) => s.end("CANARY-relative\\n")).listen("near", () => console.log("up"))',
  ],
  { cwd: at("out"), stdout: "pipe" },
);
await relative.stdout.getReader().read();
// And one has bound a name from a network of its own, as a container does.
const apart = Bun.spawn(
  [
    ...["unshare", "-Urn", process.execPath, "-e"],
    `require("net").createServer((s) => s.end("CANARY-apart\\n")).listen("${at("out/apart")}", () => console.log("up"))`,
  ],
  { stdout: "pipe" },
);
await apart.stdout.getReader().read();
const loopback = createServer((socket) => socket.end("CANARY-loopback\n")).listen(0, "127.0.0.1");
await new Promise((done) => loopback.once("listening", done));
chmodSync(at("out/sock"), 0o777);
const port = (loopback.address() as { port: number }).port;
const sleeper = Bun.spawn(["sleep", "600"], { env: { SECRET: "CANARY-environ" } });

const env = { PATH: process.env.PATH, HOME: at("h") };
const wall = openSandbox({
  mode: () => (process.argv[2] === "read-only" ? "read-only" : "workspace"),
  folders: [at("p")],
  home: at("h"),
  closed: [at("h/.pith")],
  readable: () => [],
  env,
  probeFile: at("h/.pith/sandbox.json"),
  quarantine: at("h/.pith/taken"),
  domains: [],
  notify: () => {},
});
const shell = new Shell({ cwd: at("p"), env, startup: "skip", sandbox: wall });

const side = process.argv[3] === "outside" ? "outside" : "inside";

async function run(command: string): Promise<{ text: string; code: number | string; trespasses: string[] }> {
  let text = "";
  const got = await shell.run({
    command,
    side,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    onData: (chunk) => {
      text += Buffer.from(chunk).toString();
    },
  });
  if (!got.ok) return { text: got.message, code: "spawn", trespasses: [] };
  const { exitCode, signal, violations: trespasses = [] } = got.value;
  return {
    text,
    code: exitCode ?? signal ?? "?",
    trespasses: trespasses.map(({ path, what }) => `${what} ${path.slice(base.length + 1)}`),
  };
}

const p = at("p");
const attacks: Record<string, string> = {
  remount: `mount -o remount,rw,bind ${p}/.git/config; mount -o remount,rw /; echo x >> .git/config;
echo x > ${at("out/file")}`,
  umount: `umount ${p}/.git/config; umount -l ${p}/.git/hooks; umount /tmp; echo x > .git/config;
echo x > .git/hooks/post-commit`,
  nested: `unshare -Urm sh -c 'mount -o remount,rw,bind ${p}/.git/config; umount -l ${p}/.git/config;
echo x > ${p}/.git/config; mount --bind ${at("out")} /mnt && echo x > /mnt/file'`,
  bwrap: `bwrap --bind / / --dev /dev sh -c 'echo x > ${p}/.git/config; echo x > ${at("out/file")}'`,
  "rename parent": `mv .git g && mkdir -p .git/hooks && echo x > .git/hooks/post-commit; mv .github h2;
mv .git/hooks .git/h3; rm -rf .git/hooks .github/workflows`,
  "hard link": `ln .git/config l && echo x > l; ln .github/workflows/ci.yml l2 && echo x > l2;
ln ${at("out/file")} l3 && echo x > l3`,
  tmpfile: `python3 -c "import os; fd=os.open('${p}/.git/hooks', os.O_TMPFILE|os.O_RDWR, 0o755);
os.write(fd,b'x'); os.link('/proc/self/fd/%d'%fd, '${p}/.git/hooks/post-commit')"`,
  "through a link": `echo x > link/file; echo x > ../out/file; cp /dev/stdin ${at("out/new")} <<< x`,
  keys: `echo x >> ~/.bashrc; echo x > ~/.profile; cat ~/.ssh/id_ed25519 ~/.pith/auth.json; ls -A ~/.ssh ~/.pith`,
  environ: `cat /proc/${sleeper.pid}/environ; for f in /proc/[0-9]*/environ; do tr '\\0' ' ' < $f; done;
cat /proc/${process.pid}/environ`,
  "root link": `cat /proc/1/root${at("h/.ssh/id_ed25519")} /proc/${process.pid}/root${at("h/.ssh/id_ed25519")};
echo x > /proc/1/root${at("out/file")}; ls /proc/1/cwd/ > /dev/null;
echo x > /proc/${process.pid}/root${at("out/file")}`,
  ptrace: `kill -0 ${sleeper.pid} && echo CANARY-signal; python3 -c "import ctypes;
print('CANARY-traced' if ctypes.CDLL(None).ptrace(16, ${sleeper.pid}, 0, 0) == 0 else 'no')";
kill -9 ${sleeper.pid}`,
  socket: `python3 -c "import socket; s=socket.socket(socket.AF_UNIX); s.connect('${at("out/sock")}');
print(s.recv(99))"`,
  "socket nearby": `python3 -c "import socket; s=socket.socket(socket.AF_UNIX); s.connect('${at("out/near")}');
print(s.recv(99))"`,
  "socket of another network": `python3 -c "import socket; s=socket.socket(socket.AF_UNIX);
s.connect('${at("out/apart")}'); print(s.recv(99))"`,
  loopback: `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`,
  descriptors: `for f in /proc/self/fd/*; do case $f in */0|*/1|*/2) ;; *) readlink $f ;; esac;
done | grep -v '^/proc' | grep -v pipe; true`,
  tiocsti: `python3 -c "import fcntl,termios,os
for f in ('/dev/tty','/dev/pts/0','/dev/tty1','/dev/console'):
    try: fcntl.ioctl(os.open(f,os.O_RDWR),termios.TIOCSTI,b'x'); print('CANARY-typed',f)
    except OSError as e: pass"`,
  devices: `head -c1 /dev/sda /dev/vda /dev/mem /dev/kmsg 2>/dev/null | wc -c; python3 -c "import os
for f in ('/proc/sys/kernel/core_pattern','/proc/sysrq-trigger',
  '/sys/kernel/mm/ksm/run','/proc/mtrr'):
    try: os.open(f,os.O_WRONLY); print('CANARY-machine',f)
    except OSError: pass"; mknod n b 254 0 && echo CANARY-node`,
  "past namespaces": `python3 -c "import ctypes,platform,socket
call = ctypes.CDLL(None).syscall
if call({'x86_64': 250}.get(platform.machine(), 219), 0, -3, 1) >= 0: print('CANARY-keyring')
if call(425, 4, ctypes.create_string_buffer(256)) >= 0: print('CANARY-uring')
try: socket.socket(40, socket.SOCK_STREAM); print('CANARY-vsock')
except OSError: pass
socket.socket(socket.AF_INET6); print('still a network')"`,
  cgroup: `for d in /sys/fs/cgroup/*/cgroup.procs /sys/fs/cgroup/cgroup.procs;
do echo $$ > $d && echo CANARY-left; done`,
  forged: `echo x > ${at("claimed/config")}; echo x > ${at("claimed/hooks/post-commit")};
echo x > forged/.git && echo 'gitdir: ../evil' > forged/.git`,
  appears: `mkdir -p .pith .circleci; echo 'approval.mode: yolo' > .pith/config.yml;
echo x > .circleci/config.yml; echo x > .envrc; ln -s /tmp/evil .husky`,
  "git init": `mkdir n; cd n; git init -q . ; git -c user.name=a -c user.email=b commit -q --allow-empty -m x;
cat .git/HEAD; cd ..`,
  setuid: `cp /bin/sh s; chmod u+s s; ./s -p -c 'echo x > ${at("out/file")}';
su -c 'echo CANARY-su' 2>/dev/null; sudo -n true 2>/dev/null && echo CANARY-sudo`,
};
const results: Record<string, unknown> = { uid: process.getuid?.() };
const stands = await shell.canSandbox();
results.stands = stands.ok ? "yes" : stands.message;
const wanted = process.argv[4];
for (const [name, command] of Object.entries(attacks))
  if (!wanted || wanted === name) results[name] = await run(command);
results.files = Object.fromEntries(
  Object.keys(files).map((name) => [name, existsSync(at(name)) ? readFileSync(at(name), "utf8") : "gone"]),
);
results.claimed = [readFileSync(at("claimed/config"), "utf8"), readdirSync(at("claimed/hooks"))];
results.hooks = existsSync(at("p/.git/hooks")) ? readdirSync(at("p/.git/hooks")) : "gone";
results.project = readdirSync(p).sort();
results.out = readdirSync(at("out")).sort();
results.home = readdirSync(at("h")).sort();
results.sleeper = sleeper.exitCode === null && sleeper.signalCode === null ? "alive" : "dead";
shell[Symbol.dispose]();
wall[Symbol.dispose]();
sleeper.kill("SIGKILL");
relative.kill("SIGKILL");
apart.kill("SIGKILL");
server.close();
rmSync(base, { recursive: true, force: true });
await Bun.write(Bun.stdout, `${JSON.stringify(results)}\n`);
process.exit(0);
