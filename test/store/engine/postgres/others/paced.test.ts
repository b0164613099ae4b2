import { expect, test } from 'bun:test'
import { createPaced } from '../../../../../src/store/engine/postgres/others/paced.ts'

/** Paced work that counts its runs, and whose runs can be awaited. */
function counted() {
  let done = 0
  let tell = () => {}
  const paced = createPaced(1, () => {
    done += 1
    tell()
  })
  const next = () =>
    new Promise<void>((resolve) => {
      tell = resolve
    })
  return { paced, next, done: () => done }
}

test('what is asked for first is done at once, and what is asked meanwhile is done once, later', async () => {
  const { paced, next, done } = counted()
  for (let asked = 0; asked < 5; asked += 1) paced.ask()
  expect(done()).toBe(1)
  await next()
  expect(done()).toBe(2)
})

test('what was asked and waits is done at once by a flush, and not again', async () => {
  const [flushed, other] = [counted(), counted()]
  for (const { paced } of [flushed, other, flushed, other]) paced.ask()
  flushed.paced.flush()
  expect(flushed.done()).toBe(2)
  await other.next()
  flushed.paced.flush()
  expect(flushed.done()).toBe(2)
})
