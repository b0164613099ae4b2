/**
 * Compares the output of a failed run with the output of the last successful run. The comparison is done on demand, so that pings don't
 * have to wait for it.
 */
import { COMPARED_BYTES, type NotCompared, type OutputChange } from '../../domain/output-diff/output-change.ts'
import { diffOutputs } from '../../domain/output-diff/output-diff.ts'
import { outputLines } from '../../domain/output-diff/output-lines.ts'
import { withoutPingSecrets } from '../../domain/redaction.ts'
import type { LogLine } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import { textOf } from './ping-text.ts'

type Output = Pick<
  LogLine,
  'checkId' | 'n' | 'receivedAt' | 'scheme' | 'contentType' | 'bodyStart' | 'bodySize' | 'droppedBytes'
>

type Needs = Pick<Deps, 'store' | 'eventLoop' | 'pingBodyLimit'>

/**
 * @param failed the failed ping and the beginning of its body, which may be longer than the compared part
 * @param mayPing false to remove ping URLs and keys, for members who must not see them
 */
export async function compareOutput(deps: Needs, failed: Output, mayPing: boolean): Promise<OutputChange> {
  const { pings } = deps.store
  const good = await pings.findLastGood(failed.checkId, failed.n)
  const notCompared = (why: NotCompared): OutputChange => ({ kind: 'not-compared', why, good })
  if (failed.droppedBytes !== null) return notCompared('dropped')
  if (failed.bodySize === 0) return notCompared(good?.hasBody ? 'gone' : 'no-output')
  if (good === null) return notCompared('no-good-run')
  const compared = good.hasBody ? await pings.findStart(failed.checkId, good.n, COMPARED_BYTES) : null
  if (compared === null || compared.bodySize === 0) return notCompared('no-good-output')
  const [before, after] = [await readText(deps, compared, mayPing), await readText(deps, failed, mayPing)]
  if (before === '' || after === '') return notCompared('no-text')
  const { eventLoop } = deps
  const goodLines = await eventLoop.step(async () => outputLines(before))
  const failedLines = await eventLoop.step(async () => outputLines(after))
  const diff = await eventLoop.step(async () => diffOutputs(goodLines, failedLines))
  const isCut = [compared, failed].some(({ bodySize }) => bodySize > COMPARED_BYTES)
  return diff === null ? { kind: 'same', good, isCut } : { kind: 'changed', good, isCut, diff }
}

/**
 * Returns the text of an output, or '' if it has none. If the output was truncated, its last line is dropped, because each run's
 * last line may be cut off in a different place.
 */
async function readText(
  { eventLoop, pingBodyLimit }: Omit<Needs, 'store'>,
  output: Output,
  mayPing: boolean,
): Promise<string> {
  const bodyStart = output.bodyStart?.subarray(0, COMPARED_BYTES) ?? new Uint8Array()
  const text = await textOf({ ...output, bodyStart }, eventLoop)
  const isCut = output.bodySize > bodyStart.length || output.bodySize === pingBodyLimit
  const whole = isCut ? withoutLastLine(text) : text
  return (mayPing ? whole : withoutPingSecrets(whole)).trimEnd()
}

/** Removes the last line, unless it is the only line, because then there would be nothing left to compare. */
function withoutLastLine(text: string): string {
  const end = text.lastIndexOf('\n')
  return end < 0 ? text : text.slice(0, end)
}
