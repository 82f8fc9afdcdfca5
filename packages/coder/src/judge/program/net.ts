import type { CommandEffects } from "../command-effects.ts";
import { type Arg, exact, isUnknown } from "../word.ts";
import type { ProgramCode } from "./call.ts";

const local =
  /^(?:https?:\/\/)?(?:localhost|127(?:\.\d+){0,3}|\[::1\]|0\.0\.0\.0|host\.docker\.internal|[\w-]+\.localhost)(?::\d+)?(?:[/?#]|$)/i;

/** The host of an address. */
const named = ({ shape }: Arg): string =>
  /^(?:\w+:[/\\]{2}|(?:https?|ftps?):[/\\]*)?(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/.exec(shape)?.[1] ?? "";

/** Tells how far a request goes, and if it carries something that was not public before. */
function sent(urls: readonly Arg[], sends: "something" | "nothing", does: CommandEffects): undefined {
  does.effect("net");
  for (const url of urls) does.hosts.push(named(url));
  const away = urls.filter(({ shape }) => !local.test(shape));
  if (away.length === 0 && urls.length > 0) return;
  const host = (away[0] && named(away[0])) || "another machine";
  if (sends === "something") does.level("high", `it sends something to ${host}`);
  else does.level("medium", `it asks ${host} for something`);
}

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "));
const bodies = set("d data data-raw data-binary data-urlencode data-ascii json F form form-string T upload-file");
const proxies = set("x proxy preproxy socks4 socks4a socks5 socks5-hostname");
const headers = set("H header");

const curl: ProgramCode = ({ args, parsed }, does) => {
  const { has, value, values, operands } = parsed;
  if (has("O", "J", "remote-name", "remote-name-all")) does.write(exact("./download"));
  if (has("K", "config", "netrc-file")) does.opaque("curl reads options from a file");
  // These are spoken to in the place of the address.
  does.hosts.push(...values(proxies).map(named));
  if (has("resolve", "connect-to")) does.hosts.push("");
  const given = [...values(bodies), ...values(headers)].flatMap(
    ({ text }) => /(?:^|=)[@<]([^;,]+)/s.exec(text ?? "")?.[1] ?? [],
  );
  for (const { text } of values(set("data-urlencode variable"))) {
    const file = /^[^=@]*@(.+)/s.exec(text ?? "")?.[1];
    if (file) does.read(exact(file));
  }
  for (const { text } of values(headers)) does.hosts.push(...(/^host:\s*(\S+)/i.exec(text ?? "")?.slice(1) ?? []));
  const cookies = values(set("b cookie")).filter(({ shape }) => !shape.includes("="));
  for (const file of [...given.map(exact), ...cookies]) if (file.text !== "-") does.read(file);
  const urls = [...operands, ...values(set("url"))];
  for (const { text = "" } of urls) if (/^file:/i.test(text)) does.read(exact(text.replace(/^file:\/\/[^/]*/i, "")));
  if (args.some(isUnknown)) does.opaque("a word of curl is known when it runs, and may hold anything");
  const method = value("X", "request");
  const asks = !method || /^(?:GET|HEAD|OPTIONS)$/i.test(method.text ?? "");
  const carries = has(...bodies, "u", "user") || !asks || given.length + cookies.length > 0;
  sent(urls, carries ? "something" : "nothing", does);
};

const wget: ProgramCode = ({ args, row, parsed: { has, operands } }, does) => {
  if (!has(...row.writes)) does.write(exact("./download"));
  if (has("i", "input-file")) does.opaque("wget reads addresses from a file");
  if (has("e", "execute", "use-askpass", "config")) does.opaque("wget is told what to run");
  if (args.some(isUnknown)) does.opaque("a word of wget is known when it runs, and may hold anything");
  const sends = has("post-data", "post-file", "body-data", "body-file", "method", "user", "password", "header");
  sent(operands, sends ? "something" : "nothing", does);
};

/** Judges programs that look a name up: whoever answers for it reads all that stands in it. */
const lookup: ProgramCode = ({ name, args }, does) => {
  if (name === "getent" && !/^ahosts|^hosts/.test(args[0]?.text ?? "hosts")) return;
  if (args.some(isUnknown)) does.opaque(`a word of ${name} is known when it runs, and goes to whoever answers for it`);
};

const remote = ({ shape }: Arg): boolean => /^[^/]+:/.test(shape);

/** Judges `scp` and `rsync`: what goes to another machine is gone. */
const transfer: ProgramCode = ({ name, parsed: { operands } }, does) => {
  const [to, from] = [operands.at(-1), operands.slice(0, -1)];
  for (const path of from) if (!remote(path)) does.readAll(path);
  if (to && !remote(to)) does.write(to);
  if (![...from, to].some((path) => path && remote(path))) return;
  does.effect("net");
  does.level(to && remote(to) ? "high" : "medium", `${name} talks to another machine`);
};

/** Code of programs that talk to others. */
export const talking: Readonly<Record<string, ProgramCode>> = { curl, wget, lookup, transfer };
