import type { CommandEffects } from "../command-effects.ts";
import { type Arg, exact } from "../value/argument.ts";
import { type ParsedArgs, parseArgs } from "./option.ts";
import { each, type Program, type ProgramTable, specProgram } from "./plain.ts";

const local =
  /^(?:https?:\/\/)?(?:localhost|127(?:\.\d+){0,3}|\[::1\]|0\.0\.0\.0|host\.docker\.internal|[\w-]+\.localhost)(?::\d+)?(?:[/?#]|$)/i;

/** How far a request goes: on this machine, or away, with something that was not public before or not. */
function sent(urls: readonly Arg[], sends: "something" | "nothing", does: CommandEffects): undefined {
  does.effect("net");
  const away = urls.filter(({ shape }) => !local.test(shape));
  if (away.length === 0 && urls.length > 0) return;
  const named = (url: Arg | undefined) => /^(?:\w+:\/\/)?(?:[^/?#@]*@)?([^/?#:]*)/.exec(url?.shape ?? "")?.[1];
  for (const url of urls) does.hosts.push(named(url) ?? "");
  const host = named(away[0]) || "another machine";
  if (sends === "something") does.level("high", `it sends something to ${host}`);
  else does.level("medium", `it asks ${host} for something`);
}

const curlForm = {
  takes:
    "A b c C d D e E F H K m o P Q r t T u U w x X y Y z url data data-raw data-binary data-urlencode data-ascii json form form-string upload-file output output-dir config header user user-agent referer cookie cookie-jar request max-time connect-timeout retry retry-delay proxy cacert cert key write-out dump-header range resolve interface limit-rate trace trace-ascii stderr unix-socket netrc-file oauth2-bearer aws-sigv4 ciphers etag-save etag-compare hsts",
  knows: "remote-name remote-name-all insecure",
};

/** The values of some options. */
const valuesOf = ({ options }: ParsedArgs, names: string): readonly Arg[] =>
  options.flatMap(({ name, value }) => (value && ` ${names} `.includes(` ${name} `) ? [value] : []));

const curl: Program = (args, does) => {
  const got = parseArgs(args, curlForm);
  const value = (names: string) => valuesOf(got, names);
  if (got.operands.some(({ many }) => many)) does.opaque("a word of curl is known when it runs and may be an option");
  for (const file of value("o output D dump-header c cookie-jar trace trace-ascii stderr output-dir etag-save hsts"))
    if (file.text !== "-") does.write(file);
  if (got.options.some(({ name }) => /^(?:O|remote-name|remote-name-all|J)$/.test(name)))
    does.write(exact("./download"));
  const settings = value("K config netrc-file");
  if (settings.length > 0) does.opaque("curl reads options from a file");
  const bodies = value("d data data-raw data-binary data-urlencode data-ascii json F form form-string T upload-file");
  const named = [...bodies, ...value("H header")].flatMap(({ text }) => /(?:^|=)@(.+)$/s.exec(text ?? "")?.[1] ?? []);
  const cookies = value("b cookie").filter(({ shape }) => !shape.includes("="));
  for (const file of [...settings, ...named.map(exact), ...cookies, ...value("T upload-file E cert key cacert")])
    if (file.text !== "-") does.read(file);
  const urls = [...got.operands, ...value("url")];
  for (const { text = "" } of urls) if (/^file:/i.test(text)) does.read(exact(text.replace(/^file:\/\/[^/]*/i, "")));
  const tells = value("X request").some(({ text }) => !/^(?:GET|HEAD|OPTIONS)$/i.test(text ?? ""));
  sent(urls, bodies.length > 0 || tells ? "something" : "nothing", does);
};

const wgetForm = {
  takes:
    "O o a P U t T w Q e i output-document output-file append-output directory-prefix user-agent tries timeout execute input-file header post-data post-file body-data body-file method use-askpass user password load-cookies save-cookies config",
};

const wget: Program = (args, does) => {
  const got = parseArgs(args, wgetForm);
  const value = (names: string) => valuesOf(got, names);
  if (got.unsure) does.opaque("a word of wget is known when it runs and may be an option");
  const files = value("O output-document o output-file a append-output P directory-prefix save-cookies");
  for (const file of files) if (file.text !== "-") does.write(file);
  if (files.length === 0) does.write(exact("./download"));
  for (const file of value("i input-file post-file body-file load-cookies")) does.read(file);
  if (value("e execute use-askpass config").length > 0) does.opaque("wget is told what to run");
  const sends = value("post-data post-file body-data body-file method").length > 0;
  sent(got.operands, sends ? "something" : "nothing", does);
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
    if (option === "o" && name === "scp") does.opaque("scp is told what to run");
    if (option.startsWith("delete") || option === "remove-source-files")
      does.level("high", `${name} --${option} removes files`);
  }
  const to = operands.at(-1);
  const from = operands.slice(0, -1);
  for (const path of from) if (!remote(path)) does.readAll(path);
  if (to && !remote(to)) does.write(to);
  if ([...from, to].some((path) => path && remote(path))) {
    does.effect("net");
    does.level(to && remote(to) ? "high" : "medium", `${name} talks to another machine`);
  }
};

/** Reading at a server or telling it something. */
const hub: Program = (args, does, name) => {
  const words = args.filter(({ shape }) => !shape.startsWith("-")).map(({ text }) => text);
  const [first, second] = words;
  does.effect("net");
  if (args.length === 1 && /^(?:--version|version|--help)$/.test(args[0]?.text ?? "")) return;
  const looks =
    /^(?:view|list|status|diff|checks|watch|ls|show|get)$/.test(second ?? "") ||
    /^(?:status|search|browse)$/.test(first ?? "");
  const sends = args.some(({ text = "" }) => /^(?:-X|--method|-f|-F|--field|--raw-field|--input)/.test(text));
  if (first === "auth" || first === "secret" || first === "ssh-key")
    does.level("high", `${name} ${first} deals with keys`);
  else if (first === "api" && !sends) does.level("medium", `${name} asks a server for something`);
  else if (first === "alias" || first === "extension") does.opaque(`${name} ${first} runs programs of others`);
  else if (!looks)
    does.level(
      /^(?:checkout|clone|download)$/.test(second ?? "") ? "medium" : "high",
      `${name} changes something that others see`,
    );
};

const connects = (why: string) => specProgram({ operands: "none", does: ["net", "opaque"], severity: ["high", why] });

/** Programs that talk to others. */
export const talking: ProgramTable = {
  curl,
  wget,
  ...each(
    "http https xh aria2c",
    specProgram({
      operands: "none",
      does: ["net", "write inside"],
      severity: ["medium", "it talks to another machine"],
    }),
  ),
  ...each("scp rsync", transfer),
  ...each("ssh sftp mosh telnet ftp lftp rsh autossh sshpass", connects("it works on another machine")),
  ...each("nc ncat netcat socat", connects("it opens a connection for whatever is said")),
  "ssh-keygen": specProgram({
    operands: "none",
    writes: "f",
    takes: "t b C N",
    severity: ["high", "it makes or changes keys"],
  }),
  ...each(
    "ssh-add ssh-copy-id ssh-agent gpg gpg2 pass security secret-tool keyring vault op",
    specProgram({ operands: "none", does: ["exec"], severity: ["high", "it deals with keys"] }),
  ),
  ...each("gh glab tea hub", hub),
  ...each(
    "ping ping6 traceroute dig nslookup host whois",
    specProgram({ operands: "none", does: ["net"], severity: ["medium", "it asks another machine for something"] }),
  ),
  ...each(
    "mail mailx sendmail mutt msmtp",
    specProgram({ operands: "none", does: ["net"], severity: ["high", "it sends mail"] }),
  ),
  ...each(
    "aws gcloud az doctl flyctl fly heroku vercel netlify wrangler firebase serverless pulumi ansible ansible-playbook",
    specProgram({ operands: "none", does: ["net", "exec"], severity: ["high", "it changes machines elsewhere"] }),
  ),
};
