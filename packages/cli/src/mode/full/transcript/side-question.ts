import { fit, oneLine } from "@pith/tui";
import { answerPiece } from "./answer.ts";
import { gutter, type Piece, type PieceStyle } from "./piece.ts";

/** A side question with its answer, behind a bar; neither is in the conversation. */
export function sideQuestionPiece(style: PieceStyle, question: string, answer: string): Piece {
  const { theme } = style;
  const said = answerPiece(style);
  said.append(answer);
  said.finish();
  return {
    get final() {
      return said.final;
    },
    render(columns) {
      const bar = theme.paint("border", theme.glyph.box.v);
      const asked = fit(`btw: ${oneLine(question)}`, Math.max(1, columns - gutter), theme.glyph.ellipsis);
      return [`${bar} ${theme.paint("dim", asked)}`, ...said.render(columns).map((row) => `${bar}${row.slice(1)}`)];
    },
    whole: () => ({ title: `btw: ${oneLine(question)}`, text: answer }),
  };
}
