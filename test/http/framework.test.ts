/**
 * Surprising behaviour of Elysia and its cron plugin that the code works around. If an upgrade changes it, a test fails here and names the
 * code that can change with it. Behaviour that the code relies on is covered by the tests of that code.
 */
import { describe, expect, test } from 'bun:test'
import { cron } from '@elysiajs/cron'
import { Type } from '@sinclair/typebox'
import { Elysia, status, t } from 'elysia'

const get = (path: string) => new Request(`http://localhost${path}`)

function post(path: string, body: string, headers: Record<string, string> = { 'Content-Type': 'application/json' }) {
  return new Request(`http://localhost${path}`, { method: 'POST', body, headers })
}

interface Handles {
  handle(request: Request): Promise<Response>
}

const text = async (app: Handles, request: Request) => (await app.handle(request)).text()
const code = async (app: Handles, request: Request) => (await app.handle(request)).status

interface Listens {
  listen(options: { hostname: string; port: number }): {
    readonly server: { readonly port?: number | undefined } | null
  }
  stop(): Promise<unknown>
}

/** Returns the answers of a listening server, which can differ from those of `handle()`. */
async function overSocket(app: Listens, paths: readonly string[], init: RequestInit = {}): Promise<string[]> {
  const port = app.listen({ hostname: '127.0.0.1', port: 0 }).server?.port
  const answers: string[] = []
  for (const path of paths) answers.push(await (await fetch(`http://127.0.0.1:${port}${path}`, init)).text())
  await app.stop()
  return answers
}

describe('routing', () => {
  test('with a host of three letters and no port, handle() finds no route unless standardHostname is off', async () => {
    const unnoticed = new Elysia().get('/fixed', 'fixed').get('/ping/:id', ({ params }) => params.id)
    const ours = new Elysia({ handler: { standardHostname: false } }).get('/ping/:id', ({ params }) => params.id)
    for (const host of ['hc', 'abc', 'hc:80']) {
      expect(await code(unnoticed, new Request(`http://${host}/fixed`))).toBe(404)
      expect(await code(unnoticed, new Request(`http://${host}/ping/1`))).toBe(404)
      expect(await text(ours, new Request(`http://${host}/ping/1`))).toBe('1')
    }
    expect(await code(unnoticed, new Request('http://abcd/ping/1'))).toBe(200)
    expect(await code(unnoticed, new Request('http://hc:8000/ping/1'))).toBe(200)
  })

  test('a listening server lets Bun route everything but all() and wildcards, and Bun decodes broken percent-encoding', async () => {
    const routes = (app: Elysia) =>
      app
        .get('/get/:file', ({ params }) => JSON.stringify(params.file))
        .all('/all/:file', ({ params }) => JSON.stringify(params.file))
    const paths = ['/get/a%zz', '/all/a%zz', '/get/a%252Fb']
    expect(await overSocket(routes(new Elysia()), paths)).toEqual(['"a\uFFFD"', 'null', '"a%2Fb"'])
    expect(await overSocket(routes(new Elysia({ systemRouter: false })), paths)).toEqual(['null', 'null', '"a%2Fb"'])
  })

  test('a wrong method is 404, unless all() after the real methods answers it', async () => {
    const app = new Elysia()
      .get('/plain', 'ok')
      .get('/strict', 'ok')
      .all('/strict', () => status(405, 'no'))
    expect(await code(app, post('/plain', ''))).toBe(404)
    expect(await code(app, post('/strict', ''))).toBe(405)
    expect(await code(app, get('/strict'))).toBe(200)
  })
})

describe('errors', () => {
  class Refusal extends Error {}
  const refusing = () =>
    new Elysia().get('/refuse', () => {
      throw new Refusal('no')
    })
  const refused = ({ error }: { error: unknown }) => (error instanceof Refusal ? status(403, 'refused') : undefined)

  test('an error hook misses the errors of plugins that were mounted before it', async () => {
    const app = new Elysia().use(refusing()).onError(refused)
    expect(await code(app, get('/refuse'))).toBe(500)
    expect(await code(new Elysia().onError(refused).use(refusing()), get('/refuse'))).toBe(403)
  })

  test('an unknown error sends its own message to the client', async () => {
    const app = new Elysia().get('/', () => {
      throw new Error('the password is 123')
    })
    const response = await app.handle(get('/'))
    expect(response.status).toBe(500)
    expect(await response.text()).toBe('the password is 123')
  })
})

describe('the order of hooks', () => {
  const schema = { body: t.Object({ n: t.Number() }) }
  const invalid = () => post('/', '{"n":"x"}')
  const answered = new Elysia({ name: 'errors' }).onError({ as: 'global' }, ({ code }) =>
    code === 'VALIDATION' ? status(400, 'invalid') : code === 'PARSE' ? status(400, 'malformed') : undefined,
  )

  test('a derive may put another body in its place before validation, but with parse none there is no validation', async () => {
    const reading = (app: Elysia) => app.derive(async ({ request }) => ({ body: JSON.parse(await request.text()) }))
    const route = (app: ReturnType<typeof reading>) =>
      app.use(answered).post('/', ({ body }) => `n is ${body.n}`, schema)
    const parsed = route(reading(new Elysia().onParse(() => null) as unknown as Elysia))
    expect(await text(parsed, post('/', '{"n":1}'))).toBe('n is 1')
    expect(await text(parsed, invalid())).toBe('invalid')
    const unparsed = reading(new Elysia()).post('/', ({ body }) => `n is ${body.n}`, { ...schema, parse: 'none' })
    expect(await text(unparsed, invalid())).toBe('n is x')
  })

  test('a hook does not apply to routes registered before it', async () => {
    const app = new Elysia()
      .get('/before', 'ok')
      .onBeforeHandle(() => 'hooked')
      .get('/after', 'ok')
    expect(await text(app, get('/before'))).toBe('ok')
    expect(await text(app, get('/after'))).toBe('hooked')
  })
})

describe('validation', () => {
  test('the error of a refused body is written with the value indented at every level, unless the schema throws another', async () => {
    const nested = `{"n":${'['.repeat(1000)}${']'.repeat(1000)}}`
    const sizes: number[] = []
    const counting = new Elysia().onError({ as: 'global' }, ({ error }) => {
      sizes.push(String((error as Error).message).length)
      return 'told'
    })
    const validate = (): { readonly value: { readonly n: number } } => {
      throw new Error('short')
    }
    const throwing = { '~standard': { version: 1, vendor: 'test', validate, types: undefined } } as const
    await text(
      new Elysia().use(counting).post('/', 'ok', { body: Type.Object({ n: Type.Integer() }) }),
      post('/', nested),
    )
    await text(new Elysia().use(counting).post('/', 'ok', { body: throwing }), post('/', nested))
    expect(sizes).toEqual([expect.any(Number), 'short'.length])
    expect(sizes[0]).toBeGreaterThan(1_000_000)
  })
})

describe('raw bodies', () => {
  const app = new Elysia().all('/', async ({ request }) => Buffer.from(await request.bytes()).toString('hex'), {
    parse: 'none',
  })
  const types = [
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
  ]

  test.each(types)('parse none leaves the bytes of a %s body alone', async (type) => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const body = Buffer.from('fe7b00', 'hex')
      const request = new Request('http://localhost/', { method, body, headers: { 'Content-Type': type } })
      expect(await text(app, request)).toBe('fe7b00')
    }
  })

  test('parse none leaves a body without a content type alone', async () => {
    const request = new Request('http://localhost/', { method: 'POST', body: Buffer.from('ff00', 'hex') })
    expect(await text(app, request)).toBe('ff00')
  })
})

describe('the cron plugin', () => {
  const never = { name: 'job', pattern: '0 0 1 1 *', run: () => {} } as const

  test('a job starts when the instance is built, not when it listens', () => {
    const app = new Elysia().use(cron(never))
    const { job } = app.store.cron
    expect(job.isRunning()).toBe(true)
    job.stop()
  })

  test('a job continues after stop(), so we stop it in onStop', async () => {
    const build = () => new Elysia().use(cron(never))
    const left = build().listen({ port: 0, hostname: '127.0.0.1' })
    await left.stop()
    expect(left.store.cron.job.isRunning()).toBe(true)
    left.store.cron.job.stop()

    const ours = build()
      .onStop((app) => app.store.cron.job.stop())
      .listen({ port: 0, hostname: '127.0.0.1' })
    await ours.stop()
    expect(ours.store.cron.job.isRunning()).toBe(false)
  })

  test('it uses the same croner as our schedules', async () => {
    const { Cron } = await import('croner')
    const { job } = new Elysia().use(cron(never)).store.cron
    expect(job).toBeInstanceOf(Cron)
    job.stop()
  })
})
