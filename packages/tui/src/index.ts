export { createDecoder, type DecodedEvent, type Decoder } from "./input/decoder.ts";
export type { InputEvent, KeyEvent } from "./input/event.ts";
export { createPictures, type InlinePicture, loadPicture } from "./picture/picture.ts";
export type { Screen } from "./screen/base.ts";
export type { Focus, InputListener } from "./screen/focus.ts";
export { cursorMark, type Pane, type PaneBounds, rowsOf, type ScreenFrame, type View } from "./screen/frame.ts";
export type { Tty } from "./screen/grid.ts";
export type { HistoryState } from "./screen/history.ts";
export { createLinearScreen } from "./screen/linear.ts";
export type { OverlayHandle, OverlayOptions } from "./screen/overlay.ts";
export { systemTimers, type Timers } from "./screen/scheduler.ts";
export { createScreen, type ScreenOptions } from "./screen/screen.ts";
export { type FrameTrace, frameLog } from "./screen/trace.ts";
export { type GalleryOptions, runGallery, stories } from "./story/gallery.ts";
export type { Story, StoryContext } from "./story/story.ts";
export type { ImageProtocol, TerminalId } from "./terminal/capability.ts";
export { type ProcessLike, restoreOnExit, suspendable } from "./terminal/lifetime.ts";
export type { TerminalFact } from "./terminal/negotiation.ts";
export {
  createTerminal,
  notification,
  restoreBytes,
  type Terminal,
  type TerminalOptions,
  type TtyIn,
  type TtyOut,
} from "./terminal/terminal.ts";
export { type FuzzyMatch, fuzzy } from "./text/fuzzy.ts";
export { createHighlighter, type Highlighter } from "./text/highlight.ts";
export {
  type MarkdownSetting,
  type MarkdownToken,
  type MarkdownTokens,
  markdownRows,
  readMarkdown,
  unentity,
} from "./text/markdown.ts";
export { createMarkdownStream, type MarkdownStream } from "./text/stream.ts";
export * from "./theme.ts";
export {
  createTranscript,
  type Transcript,
  type TranscriptBlock,
  type TranscriptOptions,
} from "./transcript/transcript.ts";
export type { Completer, Completion } from "./widget/editor/complete.ts";
export {
  createEditor,
  type Editor,
  type EditorDraft,
  type EditorOptions,
  type Submission,
} from "./widget/editor/editor.ts";
export type { TextFold } from "./widget/editor/fold.ts";
export { defaultKeymap, type EditorAction, type Keymap } from "./widget/editor/keymap.ts";
export { createList, type List, type ListItem, type ListOptions } from "./widget/list.ts";
export { createScrollPane } from "./widget/scroll-pane.ts";
export { createSpinner, type Spinner } from "./widget/spinner.ts";
export { type StatusPart, statusRow } from "./widget/status.ts";
