/** A stretch of the source: `source.slice(start, end)`. */
export interface TextSpan {
  start: number;
  end: number;
}

/** A piece of a word, as far as it is known before it runs. */
export type WordSegment =
  /** Bare text, in which braces, patterns and a tilde mean something. */
  | (TextSpan & { kind: "text"; text: string })
  /** Text between quotes or behind a backslash, as the program will get it. */
  | (TextSpan & { kind: "quoted"; text: string })
  | Dynamic;

/** A piece that only a running shell knows, with every command that finding it out runs. */
export interface Dynamic extends TextSpan {
  kind: "dynamic";
  of: "parameter" | "command" | "process" | "arithmetic" | "array" | "locale" | "bytes";
  /** True where it stays one word whatever it holds. */
  quoted: boolean;
  /** The variable of a bare `$name` or `${name}`. */
  name?: string;
  scripts: readonly List[];
}

export interface Word extends TextSpan {
  segments: readonly WordSegment[];
}

export interface Assign extends TextSpan {
  name: string;
  /** The text between the brackets of `name[…]=`. */
  subscript?: readonly WordSegment[];
  append: boolean;
  value: Word;
  /** The elements of `name=(…)`. */
  elements?: readonly Word[];
}

export interface Redirect extends TextSpan {
  op: "<" | ">" | ">>" | ">|" | "<>" | "<<" | "<<-" | "<<<" | "<&" | ">&" | "&>" | "&>>";
  /** A number, or the variable that takes one. */
  fd?: string;
  target: Word;
  /** The effect on the file that the target names; none, where it names none. */
  touches: "read" | "write" | "both" | "none";
  /** The text of a here-document. */
  body?: Word;
}

export interface Simple extends TextSpan {
  kind: "simple";
  assigns: readonly Assign[];
  words: readonly Word[];
  redirects: readonly Redirect[];
}

export interface Compound extends TextSpan {
  kind: "compound";
  is: "subshell" | "group" | "if" | "for" | "select" | "while" | "until" | "case" | "test" | "arithmetic" | "coproc";
  /** All words it looks at, patterns included. */
  words: readonly Word[];
  /** Conditions and bodies, in the order of the text. */
  lists: readonly List[];
  redirects: readonly Redirect[];
}

export interface Definition extends TextSpan {
  kind: "function";
  name: Word;
  body: ShellSyntax;
}

export type ShellSyntax = Simple | Compound | Definition;

export interface Pipeline extends TextSpan {
  commands: readonly ShellSyntax[];
  /** The signs before each command but the first. */
  pipes: readonly ("|" | "|&")[];
  negated: boolean;
  timed: boolean;
}

export interface ListItem {
  pipeline: Pipeline;
  /** The sign behind it. */
  behind: ";" | "\n" | "&" | "&&" | "||" | undefined;
}

export interface List extends TextSpan {
  items: readonly ListItem[];
}

/** Why a text was not understood, and where. */
export interface Problem {
  kind: ProblemKind;
  message: string;
  at: number;
}

export type ProblemKind =
  /** Something that was opened is not closed. */
  | "open"
  /** Something stands where bash does not take it. */
  | "unexpected"
  /** Versions or modes of bash read it differently. */
  | "unsure"
  /** Longer, deeper or of more parts than is looked at. */
  | "large";
