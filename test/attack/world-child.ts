// Runs in a network of its own, in which this machine has an address of the internet, and serves hosts there. Plays
// sessions of pith behind the wall and prints what each call came to, and what the hosts heard.
import { pith, scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";
import { terminal } from "../terminal.ts";

const address = process.argv[2] ?? "";
const [key, cert] = [Bun.file(process.argv[3] ?? ""), Bun.file(process.argv[4] ?? "")];
const heard: string[] = [];
const serve = (port: number, tls?: { key: Bun.BunFile; cert: Bun.BunFile }) =>
  Bun.serve({
    hostname: address,
    port,
    ...(tls && { tls }),
    async fetch(request) {
      const { hostname, pathname } = new URL(request.url);
      heard.push(`${request.method} ${hostname}${pathname} ${await request.text()}`.trim());
      return new Response(`answer of ${pathname}\n`);
    },
  });
const servers = [serve(80), serve(443, { key, cert })];

const commands: Record<string, string> = {
  plain: "curl -s http://allowed.test/plain",
  handed: "env A=1 curl -s http://allowed.test/handed",
  below: "curl -s http://deep.below.test/below",
  "plain post": "curl -s -d x http://allowed.test/post",
  "allowed post": "curl -s -d x http://posts.test/post",
  tls: "curl -sk -d x https://allowed.test/tls",
  "other name in the tunnel":
    "curl -sk --connect-to other.example.com:443:allowed.test:443 https://other.example.com/sni || echo $?",
  "no name in the tunnel": "printf x | curl -sk --connect-to ::allowed.test:443 https://1.1.1.1/none || echo $?",
  "no tls in the tunnel": "curl -s --proxytunnel http://allowed.test:443/tunnel || echo $?",
  unlisted: "curl -s http://other.example.com/unlisted",
  address: `curl -s http://${address}/address`,
  direct: `curl -s --noproxy '*' --max-time 3 http://${address}/direct || echo $?`,
  "by hand": `exec 3<>/dev/tcp/${address}/80 && echo reached`,
  inner: "curl -s http://inner.test/inner",
  header: "curl -s -H 'Host: other.example.com' http://allowed.test/header",
};
const out: Record<string, unknown> = {};
const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });
{
  using dir = scratch();
  const domains = ["allowed.test", "*.below.test", "posts.test GET,POST", "inner.test"];
  dir.write({ "home/.pith/config.yml": `sandbox.domains: |\n${domains.map((line) => `  ${line}\n`).join("")}` });
  const model = scripted(dir, ...Object.values(commands).map(bash), { text: "done" });
  const yolo = ["--approval", "yolo", "--sandbox", "workspace"];
  const ran = await pith(dir, ["-p", "go", "--mode", "json", ...yolo, ...model]);
  const results = ran.out.split("\n").filter((line) => line.includes('"tool_execution_end"'));
  for (const [at, name] of Object.keys(commands).entries()) {
    const { result } = JSON.parse(results[at] ?? "{}");
    out[name] = result?.content?.[0]?.text ?? ran.err;
  }
}
{
  using dir = scratch();
  const asks = ["asked", "asked", "refused"].map((name) => bash(`curl -s http://${name}.example.com/${name}`));
  const argv = ["--approval", "yolo", "--sandbox", "workspace", ...scripted(dir, ...asks, { text: "All asked." })];
  const desk = terminal(dir, argv);
  await desk.waits();
  desk.type("go\n");
  await desk.sees("A command wants to reach asked.example.com");
  out["while it waited"] = heard.filter((line) => line.includes("asked.example.com")).length;
  await desk.answers("y");
  await desk.sees("A command wants to reach refused.example.com");
  await desk.answers("n");
  await desk.sees("All asked.");
  desk.type("\u0004");
  await desk.child.exited;
  out.asked = desk.screen().match(/wants to reach \w+\.example\.com/g);
}
{
  // Data that a program downloads cannot be recognised by its name.
  using dir = scratch();
  const files = {
    "work/get.sh": "curl -s http://allowed.test/got\n",
    "work/give.sh": "curl -s http://allowed.test/given\n",
  };
  dir.write({ "home/.pith/config.yml": "sandbox.domains: allowed.test\n", ...files });
  const model = scripted(dir, bash("sh ./get.sh"), bash("sh ./give.sh"), { text: "done" });
  const ran = await pith(dir, ["-p", "go", "--mode", "json", ...model]);
  const results = ran.out.split("\n").filter((line) => line.includes('"tool_execution_end"'));
  const [first, second] = results.map((line) => JSON.parse(line).result);
  out.origin = first?.details?.meta?.origin;
  out["after strangers"] = second?.content?.[0]?.text ?? ran.err;
}
for (const server of servers) await server.stop(true);
await Bun.write(Bun.stdout, `${JSON.stringify({ ...out, heard })}\n`);
process.exit(0);
