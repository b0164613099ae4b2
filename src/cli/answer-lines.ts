/** Answers each line on standard input with a line on standard output. */
import type { Context } from './command.ts'

/**
 * Answers each line of standard input as it arrives. Waits if the reader of standard output is slow.
 * @param answer returns the object to print as a line of JSON; `number` is the line number, starting at 1
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
