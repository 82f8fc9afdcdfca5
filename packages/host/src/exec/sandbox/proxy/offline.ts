/** True when all programs that a command names speak to nobody: nothing is built for those. */
export const isOffline = (command: string): boolean =>
  /^[\w\s./'"=:*?@%+,|&;<>~$-]*$/.test(command) &&
  command.split(/[|&;\n]+/).every((part) => /^\s*(?:\w+=\S*\s+)*(?:$|\w+=\S*\s*$)/.test(part) || quiet.test(part));

const quiet =
  /^\s*(?:\w+=\S*\s+)*(?:ls|cat|echo|printf|pwd|cd|true|false|test|head|tail|wc|sort|uniq|cut|tr|grep|rg|sed|awk|find|stat|file|du|df|date|basename|dirname|mkdir|rmdir|touch|cp|mv|rm|ln|chmod|diff|cmp|tee|seq|sleep|export|unset|alias|set|which|type|id|whoami|uname|tsc|git\s+(?:status|diff|log|show|add|branch|rev-parse|stash|restore|reset|blame|ls-files))(?:\s|$)/;
