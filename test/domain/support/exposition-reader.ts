/** Parses Prometheus' text format strictly: anything unknown is an error. */

interface ReadSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: string
}

const NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*/y
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"/y

/** @throws Error at the first line that does not belong to the format */
export function readExposition(text: string): ReadSample[] {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const lines = text.slice(0, -1).split('\n')
  return lines.filter((line) => line !== '' && !isComment(line)).map(readSample)
}

function isComment(line: string): boolean {
  return /^# (?:HELP [a-zA-Z_:][\w:]* |TYPE [a-zA-Z_:][\w:]* (?:counter|gauge|histogram)$)/.test(line)
}

function readSample(line: string): ReadSample {
  NAME.lastIndex = 0
  const name = NAME.exec(line)?.[0]
  if (name === undefined) throw new Error(`no name in ${JSON.stringify(line)}`)
  const { labels, end } =
    line.charAt(name.length) === '{' ? readLabels(line, name.length) : { labels: {}, end: name.length }
  const value = /^ (\+Inf|-Inf|NaN|-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/.exec(line.slice(end))?.[1]
  if (value === undefined) throw new Error(`no value in ${JSON.stringify(line)}`)
  return { name, labels, value }
}

function readLabels(line: string, start: number): { labels: Record<string, string>; end: number } {
  const labels: Record<string, string> = {}
  let position = start + 1
  for (;;) {
    LABEL.lastIndex = position
    const found = LABEL.exec(line)
    if (!found?.[1]) throw new Error(`no label at ${position} in ${JSON.stringify(line)}`)
    labels[found[1]] = (found[2] ?? '').replace(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character))
    position = LABEL.lastIndex
    if (line.charAt(position) === '}') return { labels, end: position + 1 }
    const separator = /^, ?/.exec(line.slice(position))?.[0]
    if (separator === undefined) throw new Error(`no end of labels in ${JSON.stringify(line)}`)
    position += separator.length
  }
}
