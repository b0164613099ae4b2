/** Lines on standard input, each answered with a line on standard output. */
import type { Context } from './command.ts'

/**
 * Answers lines as they arrive, and waits while the reader of the answers is slow.
 * @param answer returns the object of one line of JSON; `number` counts the lines from 1
 */
export async function answerLines(
  { input, write }: Pick<Context, 'input' | 'write'>,
  answer: (line: string, number: number) => object,
): Promise<void> {
  let [rest, count] = ['', 0]
  const answerOf = (line: string) => `${JSON.stringify(answer(line, ++count))}\n`
  for await (const chunk of input.stream().pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) await write(answerOf(line))
  }
  if (rest.trim() !== '') await write(answerOf(rest))
}
