import type { CommandEffects } from "../command-effects.ts";
import { type Arg, exact, isUnknown } from "../word.ts";
import { type ParsedArgs, parseArgs } from "./option.ts";
import { each, isListed, type Program, type ProgramTable, program } from "./spec.ts";

const local =
  /^(?:https?:\/\/)?(?:localhost|127(?:\.\d+){0,3}|\[::1\]|0\.0\.0\.0|host\.docker\.internal|[\w-]+\.localhost)(?::\d+)?(?:[/?#]|$)/i;

/** The host of an address. */
const named = ({ shape }: Arg): string => /^(?:\w+:\/\/)?(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/.exec(shape)?.[1] ?? "";

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

/** True when a word is known only when it runs, so that the request may carry a secret in it. */
const carries = (words: readonly Arg[]): boolean => words.some(isUnknown);

const bodies = "d data data-raw data-binary data-urlencode data-ascii json F form form-string T upload-file";
const proxies = "x proxy preproxy socks4 socks4a socks5 socks5-hostname";
const outputs = "o output D dump-header c cookie-jar trace trace-ascii stderr output-dir etag-save hsts";

const curl: Program = (args, does) => {
  const parsed = parseArgs(args, {
    takes: `A b C e E H K m P Q r t u U w X y Y z url config header user user-agent referer cookie request max-time
      connect-timeout retry retry-delay cacert cert key write-out range resolve interface limit-rate unix-socket
      connect-to netrc-file oauth2-bearer aws-sigv4 ciphers etag-compare ${proxies} ${bodies} ${outputs}`,
    knows: "remote-name remote-name-all insecure",
  });
  const value = (names: string) => valuesOf(parsed, names);
  for (const file of value(outputs)) if (file.text !== "-") does.write(file);
  if (parsed.options.some(({ name }) => /^(?:O|remote-name|remote-name-all|J)$/.test(name)))
    does.write(exact("./download"));
  const settings = value("K config netrc-file");
  if (settings.length > 0) does.opaque("curl reads options from a file");
  // These are spoken to in the place of the address.
  does.hosts.push(...value(proxies).map(named));
  if (value("resolve connect-to").length > 0) does.hosts.push("");
  const sends = value(bodies);
  const given = [...sends, ...value("H header")].flatMap(({ text }) => /(?:^|=)@(.+)$/s.exec(text ?? "")?.[1] ?? []);
  const cookies = value("b cookie").filter(({ shape }) => !shape.includes("="));
  const files = [...settings, ...given.map(exact), ...cookies, ...value("T upload-file E cert key cacert")];
  for (const file of files) if (file.text !== "-") does.read(file);
  const urls = [...parsed.operands, ...value("url")];
  for (const { text = "" } of urls) if (/^file:/i.test(text)) does.read(exact(text.replace(/^file:\/\/[^/]*/i, "")));
  if (carries(args)) does.opaque("a word of curl is known when it runs, and may hold anything");
  const tells = value("X request").some(({ text }) => !/^(?:GET|HEAD|OPTIONS)$/i.test(text ?? ""));
  const carried = sends.length > 0 || tells || value("u user").length > 0 || given.length + cookies.length > 0;
  sent(urls, carried ? "something" : "nothing", does);
};

const valuesOf = ({ options }: ParsedArgs, names: string): readonly Arg[] =>
  options.flatMap(({ name, value }) => (value && isListed(names.replace(/\s+/g, " "), name) ? [value] : []));

const wget: Program = (args, does) => {
  const parsed = parseArgs(args, {
    takes:
      "O o a P U t T w Q e i output-document output-file append-output directory-prefix user-agent tries timeout execute input-file header post-data post-file body-data body-file method use-askpass user password load-cookies save-cookies config",
  });
  const value = (names: string) => valuesOf(parsed, names);
  const files = value("O output-document o output-file a append-output P directory-prefix save-cookies");
  for (const file of files) if (file.text !== "-") does.write(file);
  if (files.length === 0) does.write(exact("./download"));
  for (const file of value("i input-file post-file body-file load-cookies")) does.read(file);
  if (value("i input-file").length > 0) does.opaque("wget reads addresses from a file");
  if (value("e execute use-askpass config").length > 0) does.opaque("wget is told what to run");
  if (carries(args)) does.opaque("a word of wget is known when it runs, and may hold anything");
  const sends = value("post-data post-file body-data body-file method user password header").length > 0;
  sent(parsed.operands, sends ? "something" : "nothing", does);
};

const remote = ({ shape }: Arg): boolean => /^[^/]+:/.test(shape);

/** `scp`, `rsync`: what goes to another machine is gone. */
const transfer: Program = (args, does, name) => {
  const { options, operands } = parseArgs(args, {
    takes: "e P p i F o S J c l rsh rsync-path exclude include files-from exclude-from filter",
    knows: "delete remove-source-files",
  });
  for (const { name: option, value } of options) {
    if (value && /^(?:e|rsh|S|rsync-path)$/.test(option)) {
      does.effect("exec");
      does.script(value, `what ${name} runs`);
    }
    if (option.startsWith("delete") || option === "remove-source-files")
      does.level("high", `${name} --${option} removes files`);
  }
  const [to, from] = [operands.at(-1), operands.slice(0, -1)];
  for (const path of from) if (!remote(path)) does.readAll(path);
  if (to && !remote(to)) does.write(to);
  if (![...from, to].some((path) => path && remote(path))) return;
  does.effect("net");
  does.level(to && remote(to) ? "high" : "medium", `${name} talks to another machine`);
};

/** Reading at a server or telling it something. */
const hub: Program = (args, does, name) => {
  const [first, second = ""] = args.filter(({ shape }) => !shape.startsWith("-")).map(({ shape }) => shape);
  does.effect("net");
  if (args.some(isUnknown)) does.opaque(`a word of ${name} is known when it runs`);
  if (args.length === 1 && /^(?:--version|version|--help)$/.test(args[0]?.shape ?? "")) return;
  const looks = /^(?:view|list|status|diff|checks|watch|ls|show|get)$/.test(second) || first === "status";
  const sends = args.some(({ shape }) => /^(?:-X|--method|-f|-F|--field|--raw-field|--input)/.test(shape));
  if (first === "auth" || first === "secret" || first === "ssh-key")
    does.level("high", `${name} ${first} deals with keys`);
  else if (first === "api" && !sends) does.level("medium", `${name} asks a server for something`);
  else if (first === "alias" || first === "extension") does.opaque(`${name} ${first} runs programs of others`);
  else if (!looks && first !== "search" && first !== "browse")
    does.level(
      /^(?:checkout|clone|download)$/.test(second) ? "medium" : "high",
      `${name} changes something that others see`,
    );
};

const asks = program({
  operands: "none",
  does: ["net"],
  takes: "c i W p t",
  rows: [[/^/, "medium", "it asks another machine for something"]],
  also: (_, does, { operands }) => {
    for (const { shape } of operands) if (/[.:\w]/.test(shape)) does.hosts.push(shape.replace(/^@/, ""));
  },
});
const high = (why: string, ...effects: ("net" | "opaque" | "exec")[]) =>
  program({ operands: "any", does: effects, rows: [[/^/, "high", why]] });

/** Programs that talk to others. */
export const talking: ProgramTable = {
  curl,
  wget,
  ...each(
    "http https xh aria2c",
    program({
      operands: "none",
      does: ["net", "write inside"],
      rows: [[/^/, "medium", "it talks to another machine"]],
    }),
  ),
  ...each("scp rsync", transfer),
  ...each("ssh sftp mosh telnet ftp lftp rsh autossh sshpass", high("it works on another machine", "net", "opaque")),
  ...each("nc ncat netcat socat", high("it opens a connection for whatever is said", "net", "opaque")),
  "ssh-keygen": program({
    operands: "any",
    writes: "f",
    takes: "t b C N",
    rows: [[/^/, "high", "it makes or changes keys"]],
  }),
  ...each(
    "ssh-add ssh-copy-id ssh-agent gpg gpg2 pass security secret-tool keyring vault op",
    high("it deals with keys", "exec"),
  ),
  ...each("gh glab tea hub", hub),
  ...each("ping ping6 traceroute dig nslookup host whois", asks),
  ...each("mail mailx sendmail mutt msmtp", high("it sends mail", "net")),
  ...each(
    "aws gcloud az doctl flyctl fly heroku vercel netlify wrangler firebase serverless pulumi ansible ansible-playbook",
    high("it changes machines elsewhere", "net", "exec"),
  ),
};
