import type { CommandEffects } from "../command-effects.ts";
import { each, type Program, type ProgramTable, specProgram } from "./plain.ts";

/** `kill -9 1`, `kill -s KILL`, `kill -9 -1`. */
const kill: Program = (args, does, name) => {
  const texts = args.map(({ text }) => text ?? "");
  if (texts.some((text) => /^-[lL]$/.test(text))) return;
  does.effect("exec");
  const hard = /^(?:-9|-KILL|-SIGKILL|--signal=(?:9|KILL|SIGKILL))$/i;
  const named = texts.some(
    (text, index) => /^(?:-s|-n|--signal)$/.test(texts[index - 1] ?? "") && /^(?:9|(?:SIG)?KILL)$/i.test(text),
  );
  // A first word with a dash is a signal; a later one, or one behind `--`, is a group, and -1 is everybody.
  const everybody = texts.some((text, index) => text === "-1" && (index > 0 || texts.length === 1));
  if (name === "kill" && (everybody || texts.slice(1).includes("1") || texts[0] === "1"))
    does.level("critical", "it ends every process, or the first of all");
  else if (texts.some((text) => hard.test(text)) || named) does.level("high", "it ends a process at once");
  else does.level("medium", "it ends a process");
};

const service: Program = (args, does, name) => {
  const words = args.filter(({ shape }) => !shape.startsWith("-")).map(({ text }) => text ?? "");
  if (/^(?:status|list-\w+|show|cat|is-\w+|list|print)$/.test(words[0] ?? "") || /^status$/.test(words[1] ?? ""))
    return does.effect("read outside");
  does.effect("exec");
  does.level("high", `${name} changes what runs on this machine`);
};

const crontab: Program = (args, does) => {
  if (args.length === 1 && args[0]?.text === "-l") return does.effect("read outside");
  does.effect("exec");
  does.guard ??= "what crontab is given runs later, by itself";
  does.level("high", "what crontab is given runs later, by itself");
};

const sqlite: Program = (args, does) => {
  const text = args.map(({ text }) => text ?? "\0").join("\n");
  does.effect("exec");
  if (
    /^\s*\.(?:shell|system|load|read|import|output|once|excel|edit|archive)|load_extension|writefile|edit\(|\0/im.test(
      text,
    ) ||
    args.length < 2
  )
    does.opaque("sqlite3 may run programs or write files");
  if (/\b(?:drop|truncate)\b|\bdelete\s+from\s+\w+\s*(?:;|$)/i.test(text)) does.level("high", "it removes data");
};

const client: Program = (args, does) => {
  const text = args.map(({ text }) => text ?? "").join("\n");
  does.effect("exec");
  does.effect("net");
  if (/\\!|\\copy|\bto\s+program\b|\bsystem\s/i.test(text)) does.opaque("the client may run programs or write files");
  if (/\b(?:drop|truncate|flushall|flushdb|dropdatabase)\b|\bdelete\s+from\b/i.test(text))
    does.level("high", "it removes data");
};

const openssl: Program = (args, does) => {
  does.effect(/^(?:rand|version|dgst|list|sha\d*|md5)$/.test(args[0]?.text ?? "") ? "read inside" : "exec");
  const out = args.findIndex(({ text }) => text === "-out");
  const file = out === -1 ? undefined : args[out + 1];
  if (file) does.write(file);
  if (args.some(({ text }) => /^-(?:engine|provider|config)$/.test(text ?? "")))
    does.opaque("openssl loads what it is told");
  if (args[0]?.text === "s_client" || args[0]?.text === "s_server") connected(does);
};

function connected(does: CommandEffects): undefined {
  does.effect("net");
  does.level("high", "it opens a connection for whatever is said");
}

const critical = (why: string) => specProgram({ operands: "none", does: ["exec"], severity: ["critical", why] });
const high = (why: string) => specProgram({ operands: "none", does: ["exec"], severity: ["high", why] });

/** What changes the machine. */
export const ruling: ProgramTable = {
  ...each("kill pkill killall killall5 skill", kill),
  ...each(
    "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mke2fs mkswap wipefs fdisk sfdisk gdisk sgdisk cfdisk parted blkdiscard hdparm cryptsetup lvremove vgremove pvremove zpool diskutil format newfs",
    critical("it writes over disks"),
  ),
  ...each("shutdown reboot halt poweroff init telinit", high("it stops this machine")),
  ...each(
    "useradd userdel usermod adduser deluser groupadd groupdel passwd chpasswd visudo vipw chsh",
    high("it changes who may use this machine"),
  ),
  ...each(
    "mount umount swapon swapoff losetup modprobe insmod rmmod sysctl iptables ip6tables nft ufw firewall-cmd setenforce setcap chroot unshare nsenter systemd-run bwrap",
    high("it changes how this machine works"),
  ),
  ...each("systemctl service launchctl initctl rc-service update-rc.d loginctl", service),
  crontab,
  ...each("at batch atrm", high("what it is given runs later, by itself")),
  sqlite3: sqlite,
  ...each("psql mysql mariadb mongo mongosh redis-cli clickhouse-client duckdb", client),
  openssl,
  ...each("dropdb dropuser mysqladmin pg_dropcluster", high("it removes data")),
  ...each("xdg-open open start", specProgram({ operands: "none", does: ["exec"] })),
  ...each(
    "tmux screen",
    specProgram({
      operands: "none",
      does: ["exec"],
      also: (args, does) => {
        if (!/^(?:ls|list-\w+|capture-pane|-ls|has-session)$/.test(args[0]?.text ?? ""))
          does.opaque("it hands text to another shell");
      },
    }),
  ),
};
