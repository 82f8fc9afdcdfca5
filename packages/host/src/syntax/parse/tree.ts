/** A place in a text: UTF-16 units from the start, and 0-based line and column. */
export interface Position {
  index: number;
  line: number;
  column: number;
}

/** A node of a syntax tree, the same whichever parser made it. Valid until its tree is disposed of. */
export interface SyntaxNode {
  readonly kind: string;
  readonly named: boolean;
  readonly from: Position;
  readonly to: Position;
  readonly children: readonly SyntaxNode[];
  /** Something in it did not parse. */
  readonly broken: boolean;
}

/** Gives undefined for a text that cannot be parsed in a reasonable time. */
export type Parse = (text: string) => SyntaxTree | undefined;

/** The same while the program goes on with something else. */
export type ParseAside = (text: string) => Promise<SyntaxTree | undefined>;

/** A stretch of lines that could be folded. */
export interface FoldSpan {
  fold: "body" | "data";
  from: Position;
  to: Position;
}

export interface SyntaxTree extends Disposable {
  readonly root: SyntaxNode;
  /** The spans that could be folded, in the order of the text, outer before inner; none shorter than `leaf` is entered. */
  spans(leaf: number): FoldSpan[];
  /** The places where the text did not parse, in order. */
  errors(): SyntaxIssue[];
  /** All named nodes of a kind, in the order of the text. */
  ofKind(kind: string): SyntaxNode[];
}

export interface SyntaxIssue {
  from: Position;
  to: Position;
  /** The word that should have stood there, when the parser knows. */
  missing?: string;
}
