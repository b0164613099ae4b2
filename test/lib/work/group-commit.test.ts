import { expect, test } from 'bun:test'
import { GroupCommit, type GroupCommitOptions } from '../../../src/lib/work/group-commit.ts'
import { rejection } from '../../support/store-builders.ts'

const UNUSABLE = new Error('the database cannot be used')

type Commit = GroupCommitOptions<string, string>['commit']

/** Records the committed batches; outcomes are the items in capitals. */
function recorder(commit: Commit = async (items) => items.map((item) => item.toUpperCase()), limits = {}) {
  const batches: string[][] = []
  const refused: number[] = []
  const commits = new GroupCommit<string, string>({
    batchLimit: 100,
    weightLimit: 100,
    weigh: ({ length }) => length,
    queueLimit: 100,
    queueFull: () => new Error('the queue is full'),
    failsAll: (error) => error === UNUSABLE,
    onRefused: (count) => void refused.push(count),
    stopwatch: () => 0,
    ...limits,
    commit: (items) => {
      batches.push([...items])
      return commit(items)
    },
  })
  return { commits, batches, refused }
}

test('items of one turn of the event loop are committed together, each with its own outcome', async () => {
  const { commits, batches } = recorder()
  const first = ['a', 'b'].map((item) => commits.add(item))
  await Promise.resolve()
  const sameTurn = commits.add('c')
  expect(await Promise.all([...first, sameTurn])).toEqual(['A', 'B', 'C'])
  expect(batches).toEqual([['a', 'b', 'c']])
})

test('items of the next turns join the batch, as long as each turn adds one', async () => {
  const { commits, batches } = recorder()
  const inTheNextTurn = (work: () => Promise<string>) =>
    new Promise<string>((resolve) => setImmediate(() => resolve(work())))
  const later: Promise<string>[] = []
  const second = inTheNextTurn(() => {
    later.push(inTheNextTurn(() => commits.add('c')))
    return commits.add('b')
  })
  expect(await Promise.all([commits.add('a'), second])).toEqual(['A', 'B'])
  expect(await Promise.all(later)).toEqual(['C'])
  expect(batches).toEqual([['a', 'b', 'c']])
})

test('a turn that takes long is the last one waited for', async () => {
  let seconds = 0
  const { commits, batches } = recorder(undefined, { stopwatch: () => seconds })
  const outcomes: Promise<string>[] = []
  setImmediate(() => {
    seconds += 0.3
    outcomes.push(commits.add('b'))
    setImmediate(() => outcomes.push(commits.add('c')))
  })
  expect(await commits.add('a')).toBe('A')
  await new Promise((resolve) => setImmediate(resolve))
  expect(await Promise.all(outcomes)).toEqual(['B', 'C'])
  expect(batches).toEqual([['a', 'b'], ['c']])
})

test('a full batch does not wait', async () => {
  const { commits, batches } = recorder(undefined, { batchLimit: 2 })
  const outcomes = ['a', 'b'].map((item) => commits.add(item))
  const next = new Promise<string>((resolve) => setImmediate(() => resolve(commits.add('c'))))
  expect(await Promise.all(outcomes)).toEqual(['A', 'B'])
  expect(await next).toBe('C')
  expect(batches).toEqual([['a', 'b'], ['c']])
})

test('later items get a commit of their own', async () => {
  const { commits, batches } = recorder()
  expect(await commits.add('a')).toBe('A')
  expect(await commits.add('b')).toBe('B')
  expect(batches).toEqual([['a'], ['b']])
})

test('items that arrive during a commit join the next one, and only one commit runs at a time', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let count = 0
  let underWay = 0
  const { commits, batches } = recorder(async (items) => {
    underWay += 1
    expect(underWay).toBe(1)
    begun[count]?.resolve()
    await gates[count++]?.promise
    underWay -= 1
    return items
  })
  const first = commits.add('a')
  await begun[0]?.promise
  const second = [commits.add('b'), commits.add('c')]
  gates[0]?.resolve()
  expect(await first).toBe('a')
  await begun[1]?.promise
  gates[1]?.resolve()
  expect(await Promise.all(second)).toEqual(['b', 'c'])
  expect(batches).toEqual([['a'], ['b', 'c']])
})

test('a batch has a maximum size, in the order of arrival', async () => {
  const { commits, batches } = recorder(undefined, { batchLimit: 2 })
  expect(await Promise.all(['a', 'b', 'c', 'd', 'e'].map((item) => commits.add(item)))).toEqual([
    'A',
    'B',
    'C',
    'D',
    'E',
  ])
  expect(batches).toEqual([['a', 'b'], ['c', 'd'], ['e']])
})

test('an item that cannot be committed fails alone, and the others are committed', async () => {
  const poison = new Error('poison')
  const { commits, refused } = recorder(async (items) => {
    if (items.includes('bad')) throw poison
    return items
  })
  const settled = await Promise.allSettled(['a', 'bad', 'b'].map((item) => commits.add(item)))
  expect(settled).toEqual([
    { status: 'fulfilled', value: 'a' },
    { status: 'rejected', reason: poison },
    { status: 'fulfilled', value: 'b' },
  ])
  expect(await commits.add('next')).toBe('next')
  expect(refused).toEqual([1])
})

test('an unusable database fails the whole batch at once, and the next batch is tried again', async () => {
  let isUsable = false
  const { commits, batches, refused } = recorder(async (items) => {
    if (!isUsable) throw UNUSABLE
    return items
  })
  const settled = await Promise.allSettled(['a', 'b', 'c'].map((item) => commits.add(item)))
  expect(settled).toEqual(Array(3).fill({ status: 'rejected', reason: UNUSABLE }))
  expect(batches).toHaveLength(1)
  isUsable = true
  expect(await commits.add('d')).toBe('d')
  expect(refused).toEqual([3])
})

test('beyond the queue limit an item is refused at once and never committed, and there is room again afterwards', async () => {
  const { commits, batches, refused } = recorder(undefined, { queueLimit: 2 })
  const waiting = [commits.add('a'), commits.add('b')]
  expect(await rejection(commits.add('c'))).toEqual(new Error('the queue is full'))
  expect(await Promise.all(waiting)).toEqual(['A', 'B'])
  expect(await commits.add('d')).toBe('D')
  expect(batches.flat()).toEqual(['a', 'b', 'd'])
  expect(refused).toEqual([1])
})

test('draining waits for everything that was added, also while it waits', async () => {
  const { commits, batches } = recorder(undefined, { batchLimit: 1 })
  const done: string[] = []
  const add = (item: string) => commits.add(item).then((outcome) => done.push(outcome))
  const first = add('a').then(() => add('b'))
  add('c')
  await commits.drain()
  await first
  expect(done.toSorted()).toEqual(['A', 'B', 'C'])
  expect(batches).toHaveLength(3)
})

test('draining ends when nothing waits, and after a failure', async () => {
  const { commits } = recorder(async () => {
    throw new Error('no')
  })
  await commits.drain()
  const failing = rejection(commits.add('a'))
  await commits.drain()
  expect(await failing).toHaveProperty('message', 'no')
})

test('a batch ends before the item with which it would be too heavy, and one that is too heavy is a batch of its own', async () => {
  const { commits, batches } = recorder(undefined, { weightLimit: 5 })
  await Promise.all(['aa', 'bbb', 'c', 'ddddddd', 'e', 'ffff'].map((item) => commits.add(item)))
  expect(batches).toEqual([['aa', 'bbb'], ['c'], ['ddddddd'], ['e', 'ffff']])
})
