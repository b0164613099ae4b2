/** Steps of a request for a page, with a table of small routes and made-up people. */

import { describe, expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import type { Role } from '../../../src/domain/account/role.ts'
import { type Person, personIn } from '../../../src/domain/actor.ts'
import { Refusal } from '../../../src/domain/errors.ts'
import { createClientReader } from '../../../src/http/client.ts'
import type { Auth, Identify } from '../../../src/http/web/auth.ts'
import { createDoor, type DoorDeps } from '../../../src/http/web/door.ts'
import { html } from '../../../src/http/web/html.ts'
import type { Identity, PageAnswer, Route } from '../../../src/http/web/route.ts'
import { createRateLimit } from '../../../src/lib/limits/rate-limit.ts'
import { fromSeconds } from '../../../src/lib/time.ts'
import { LongReads } from '../../../src/services/common/long-reads.ts'
import { handClock } from '../../support/clock.ts'
import { aProject } from '../../support/store-builders.ts'

const SITE_ROOT = 'https://overdue.example'
const BOOKS = { ...aProject({ name: 'Harbour Books' }), slug: 'books' }

const ROLES: Readonly<Record<string, Role | null>> = {
  owner: 'owner',
  manager: 'manager',
  member: 'member',
  reader: 'read-only',
  administrator: null,
  outsider: null,
}

function identityOf(name: string): Identity {
  const email = `${name}@example.org`
  const isAdministrator = name === 'administrator'
  const person: Person = { kind: 'person', accountId: name, email, isAdministrator, address: null }
  const account = {
    id: name,
    email,
    passwordHash: null,
    isAdministrator,
    tz: 'UTC',
    theme: 'dark',
    hasShortcuts: true,
    morningMail: null,
    listRows: 'dense',
    listPicture: 'runs',
    createdAt: fromSeconds(0),
    isSuspended: false,
    totp: null,
    lastSeenAt: null,
    isEmailConfirmed: true,
  } as const
  return { person, account, session: null }
}

const identify: Identify = async ({ headers }) => {
  const name = headers.get('x-test-who')
  return name === null ? null : identityOf(name)
}

/** Sign-in by a header: the person that it names is signed in. */
const AUTH: Auth = {
  identify,
  recall: identify,
  remoteUser: () => null,
  findProject: async (person, slug) =>
    slug === 'books' ? personIn(BOOKS, person, ROLES[person.accountId] ?? null) : null,
  accessRevision: () => '0',
  listProjects: async () => [{ id: BOOKS.id, slug: 'books', name: BOOKS.name, down: 0 }],
  countUndelivered: async () => 0,
  countAdvised: async () => 0,
  needsConfirmation: async ({ account }) => account.id === 'manager',
}

const said = (text: string): PageAnswer => ({
  kind: 'page',
  page: { layout: 'gate', title: 'A page', body: html`<p>${text}</p>` },
})

const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/public', access: 'public', cache: { seconds: 60 }, answer: () => said('hello') },
  {
    method: 'GET',
    path: '/visitor',
    access: 'visitor',
    cache: 'no-store',
    answer: ({ identity }) => said(`hello ${identity?.person.email ?? 'stranger'}`),
  },
  {
    method: 'GET',
    path: '/account',
    access: 'account',
    cache: 'no-store',
    answer: ({ account }) => said(`hello ${account.email}`),
  },
  {
    method: 'POST',
    path: '/account',
    access: 'account',
    cache: 'no-store',
    answer: ({ form }) => said(`saved ${form.text('name')}`),
  },
  {
    method: 'GET',
    path: '/sensitive',
    access: 'account',
    cache: 'no-store',
    isSensitive: true,
    answer: () => said('a secret'),
  },
  {
    method: 'POST',
    path: '/sensitive',
    access: 'account',
    cache: 'no-store',
    isSensitive: true,
    answer: () => said('done'),
  },
  { method: 'GET', path: '/admin', access: 'administrator', cache: 'no-store', answer: () => said('hello') },
  ...(['read', 'write', 'manage', 'own'] as const).map(
    (right): Route => ({
      method: 'GET',
      path: `/p/:project/${right}`,
      access: 'project',
      right,
      cache: 'no-store',
      answer: ({ actor }) => said(`hello ${actor.project.name}`),
    }),
  ),
  {
    method: 'GET',
    path: '/p/:project/framed',
    access: 'project',
    right: 'read',
    cache: 'no-store',
    answer: () => ({
      kind: 'page',
      page: { layout: 'frame', title: 'Checks', body: html`<p>body</p>` },
    }),
  },
  {
    method: 'POST',
    path: '/p/:project/write',
    access: 'project',
    right: 'write',
    cache: 'no-store',
    answer: () => ({ kind: 'redirect', to: '/p/books/read?q=1', done: 'saved', cookie: 'a=b' }),
  },
  {
    method: 'POST',
    path: '/mailed/:token',
    access: 'public',
    acceptsAnyOrigin: true,
    cache: 'no-store',
    answer: ({ params }) => said(`token ${params.token}`),
  },
  {
    method: 'GET',
    path: '/fails',
    access: 'public',
    cache: { seconds: 60 },
    answer: () => {
      throw new Error('a bug')
    },
  },
  {
    method: 'GET',
    path: '/busy',
    access: 'public',
    cache: { seconds: 60 },
    answer: () => {
      throw new Refusal('over-limit', 'too many tries', { retryAfterSeconds: 7 })
    },
  },
  {
    method: 'GET',
    path: '/full/:kind',
    access: 'public',
    cache: { seconds: 60 },
    answer: ({ params }) => {
      if (params.kind === 'busy') throw new Refusal('busy', 'the server is busy')
      throw new Refusal('unavailable', 'no database', { reason: 'a disk', isLogged: params.kind === 'known' })
    },
  },
  {
    method: 'GET',
    path: '/echo',
    access: 'public',
    cache: 'no-store',
    answer: ({ url, client, site }) => said(`${url.pathname}${url.search} ${client.scheme} ${site.href('/x')}`),
  },
]

interface Sending {
  readonly who?: string
  readonly origin?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

function doorAt(siteRoot: string, over: Partial<DoorDeps> = {}, routes = ROUTES) {
  const lines: { readonly message: string; readonly details: unknown }[] = []
  const door = createDoor({
    site: {
      name: 'Overdue',
      badgeLabel: '',
      links: { siteRoot, pingEndpoint: `${siteRoot}/ping/`, checkPages: `${siteRoot}/cloaked/` },
      secret: '',
    },
    log: (_level, message, details) => void lines.push({ message, details }),
    random: { uuid: () => 'the-id', bytes: (length) => new Uint8Array(length), fraction: () => 0 },
    now: () => fromSeconds(0),
    clients: createClientReader([]),
    publicLimit: createRateLimit(() => fromSeconds(0), 0),
    auth: AUTH,
    stopwatch: () => 0,
    longReads: new LongReads({ projects: { findHolder: async () => null } }),
    ...over,
  })
  const app = door.mount(new Elysia(), routes, '')
  const ask = (method: string, path: string, { who, origin, body, headers = {} }: Sending = {}) =>
    app.handle(
      new Request(`http://localhost${path}`, {
        method,
        ...(body === undefined ? {} : { body }),
        headers: {
          ...(who === undefined ? {} : { 'x-test-who': who }),
          ...(origin === undefined ? {} : { origin }),
          ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
          ...headers,
        },
      }),
    )
  return { ask, lines }
}

const { ask } = doorAt(SITE_ROOT)
const status = async (method: string, path: string, sending?: Sending) => (await ask(method, path, sending)).status
const text = async (method: string, path: string, sending?: Sending) => (await ask(method, path, sending)).text()

describe('who may read', () => {
  /** Status of each route for: stranger, owner, manager, member, reader, administrator, outsider. */
  test.each([
    ['/public', [200, 200, 200, 200, 200, 200, 200]],
    ['/visitor', [200, 200, 200, 200, 200, 200, 200]],
    ['/account', [303, 200, 200, 200, 200, 200, 200]],
    ['/admin', [303, 403, 403, 403, 403, 200, 403]],
    ['/p/books/read', [303, 200, 200, 200, 200, 200, 404]],
    ['/p/books/write', [303, 200, 200, 200, 403, 200, 404]],
    ['/p/books/manage', [303, 200, 200, 403, 403, 200, 404]],
    ['/p/books/own', [303, 200, 403, 403, 403, 200, 404]],
    ['/p/nowhere/read', [303, 404, 404, 404, 404, 404, 404]],
    ['/p/%zz/read', [303, 404, 404, 404, 404, 404, 404]],
  ] as const)('%s', async (path, expected) => {
    const answers = [await status('GET', path)]
    for (const who of Object.keys(ROLES)) answers.push(await status('GET', path, { who }))
    expect(answers).toEqual([...expected])
  })

  test('a project that does not exist and one of others look the same', async () => {
    expect(await text('GET', '/p/books/read', { who: 'outsider' })).toBe(
      await text('GET', '/p/nowhere/read', { who: 'outsider' }),
    )
  })

  test('who may only read is told so, and whom to ask', async () => {
    expect(await text('GET', '/p/books/write', { who: 'reader' })).toContain(
      'You have read-only access to this project. Ask its owner to change your role.',
    )
  })

  test('who is signed in is not even asked on a public page', async () => {
    const auth: Auth = { ...AUTH, identify: () => Promise.reject(new Error('asked')) }
    const door = doorAt(SITE_ROOT, { auth })
    expect((await door.ask('GET', '/public', { who: 'owner' })).status).toBe(200)
    expect((await door.ask('GET', '/visitor', { who: 'owner' })).status).toBe(500)
  })
})

describe('a stranger', () => {
  test('is sent to the sign-in, and from there to the page', async () => {
    const answer = await ask('GET', '/p/books/read?q=a%26b&x=//evil')
    expect(answer.headers.get('location')).toBe('/sign-in?next=%2Fp%2Fbooks%2Fread%3Fq%3Da%2526b%26x%3D%2F%2Fevil')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('who sends a form gets a page that says to sign in, before anything is read', async () => {
    const answer = await ask('POST', '/account', { body: 'name=%00', origin: 'https://evil.example' })
    expect(answer.status).toBe(401)
    expect(await answer.text()).toContain('href="/sign-in"')
  })
})

describe('something sensitive', () => {
  test('is for who has proved lately who it is', async () => {
    expect(await text('GET', '/sensitive', { who: 'owner' })).toContain('a secret')
    expect(await text('POST', '/sensitive', { who: 'owner', origin: SITE_ROOT, body: '' })).toContain('done')
  })

  test('asks others first, also for a form, and leads back to its page', async () => {
    for (const [method, sending] of [
      ['GET', { who: 'manager' }],
      ['POST', { who: 'manager', origin: SITE_ROOT, body: 'name=x' }],
    ] as const) {
      const answer = await ask(method, '/sensitive?q=1', sending)
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/confirm?next=%2Fsensitive%3Fq%3D1'])
    }
  })

  test('is refused to a form of another site before that', async () => {
    expect(await status('POST', '/sensitive', { who: 'manager', origin: 'https://evil.example', body: '' })).toBe(403)
  })

  test('sends a stranger to the sign-in', async () => {
    const answer = await ask('GET', '/sensitive')
    expect(answer.headers.get('location')).toBe('/sign-in?next=%2Fsensitive')
  })
})

describe('a form', () => {
  const who = 'owner'

  test('from this server is handled, whatever address the browser used', async () => {
    expect(await text('POST', '/account', { who, origin: SITE_ROOT, body: 'name=Ann' })).toContain('saved Ann')
    const host = { host: '10.0.0.5:8000' }
    expect(await status('POST', '/account', { who, origin: 'http://10.0.0.5:8000', headers: host, body: '' })).toBe(200)
  })

  test.each([undefined, 'null', 'https://evil.example'])(
    'with the origin %p is refused, in words that name SITE_ROOT',
    async (origin) => {
      const answer = await ask('POST', '/account', {
        who,
        body: 'name=Ann',
        ...(origin === undefined ? {} : { origin }),
      })
      expect(answer.status).toBe(403)
      const page = await answer.text()
      expect(page).toContain(SITE_ROOT)
      expect(page).toContain('SITE_ROOT')
    },
  )

  test('from another origin is told nothing by who may not send it at all', async () => {
    expect(await status('POST', '/p/books/write', { who: 'outsider', origin: 'https://evil.example' })).toBe(404)
    expect(await text('POST', '/p/books/write', { who: 'reader', origin: 'https://evil.example' })).toContain(
      'read-only access',
    )
  })

  test('from an email program needs no origin where the route says so', async () => {
    expect(await text('POST', '/mailed/t1', { body: 'List-Unsubscribe=One-Click' })).toContain('token t1')
  })

  test('from an email program may be of any type and is not read', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const body = '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
    expect(await text('POST', '/mailed/t1', { headers, body })).toContain('token t1')
    expect(await status('POST', '/mailed/t1', { body: 'x'.repeat(65_537) })).toBe(200)
  })

  test('that is broken or too long is refused', async () => {
    expect(await status('POST', '/account', { who, origin: SITE_ROOT, body: 'name=%00' })).toBe(400)
    expect(await status('POST', '/account', { who, origin: SITE_ROOT, body: 'x'.repeat(65_537) })).toBe(413)
    const manyFields = { who, origin: SITE_ROOT, body: 'a&'.repeat(32_768) }
    expect(await status('POST', '/account', manyFields)).toBe(413)
    expect(await text('POST', '/account', manyFields)).toContain('send at most 1000')
    const headers = { 'content-type': 'application/json' }
    expect(await status('POST', '/account', { who, origin: SITE_ROOT, body: '{}', headers })).toBe(400)
  })

  test('that was handled leads to another page, which says what was done', async () => {
    const answer = await ask('POST', '/p/books/write', { who, origin: SITE_ROOT, body: '' })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/p/books/read?q=1&done=saved')
    expect(answer.headers.get('set-cookie')).toBe('a=b')
    expect(await text('GET', '/p/books/framed?done=saved', { who })).toContain('data-toast')
    expect(await text('GET', '/p/books/framed?done=<b>', { who })).not.toContain('data-toast')
  })
})

describe('a method', () => {
  test('that the path does not take is refused, with those that it takes', async () => {
    for (const [path, allow] of [
      ['/public', 'GET, HEAD'],
      ['/account', 'GET, HEAD, POST'],
      ['/mailed/x', 'POST'],
    ] as const) {
      const answer = await ask('DELETE', path)
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow])
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    }
    expect(await status('OPTIONS', '/account')).toBe(405)
  })

  test('of HEAD is answered as GET', async () => {
    expect([await status('HEAD', '/public'), await status('HEAD', '/account')]).toEqual([200, 303])
    expect(await status('HEAD', '/mailed/x')).toBe(405)
  })
})

describe('an answer', () => {
  test('may be kept only as long as its route says, and errors never', async () => {
    const cache = async (path: string, who?: string) =>
      (await ask('GET', path, who === undefined ? {} : { who })).headers.get('cache-control')
    expect(await cache('/public')).toBe('public, max-age=60')
    expect(await cache('/account', 'owner')).toBe('no-store')
    expect([await cache('/fails'), await cache('/busy')]).toEqual(['no-store', 'no-store'])
  })

  test('of any kind forbids frames, guessed types and foreign content', async () => {
    for (const [method, path, who] of [
      ['GET', '/public', undefined],
      ['GET', '/account', undefined],
      ['GET', '/p/books/framed', 'reader'],
      ['GET', '/p/books/read', 'outsider'],
      ['PUT', '/public', undefined],
      ['GET', '/fails', undefined],
    ] as const) {
      const { headers } = await ask(method, path, who === undefined ? {} : { who })
      expect(headers.get('content-security-policy')).toStartWith("default-src 'none'; ")
      expect(headers.get('content-security-policy')).not.toContain('unsafe')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('same-origin')
    }
  })

  test('to an unexpected error is a page with an id, which the log has beside the reason', async () => {
    const door = doorAt(SITE_ROOT)
    const answer = await door.ask('GET', '/fails')
    const page = await answer.text()
    expect(answer.status).toBe(500)
    expect(page).toContain('<code>the-id</code>')
    expect(page).not.toContain('a bug')
    expect(door.lines).toMatchObject([{ message: 'unexpected error', details: { id: 'the-id', method: 'GET' } }])
  })

  test.each([
    ['busy', { message: 'page refused', details: { id: 'the-id', method: 'GET', reason: 'the server is busy' } }],
    ['known', { message: 'page refused', details: { id: 'the-id', method: 'GET', reason: 'no database' } }],
    ['unknown', { message: 'request refused', details: { id: 'the-id', method: 'GET', reason: 'a disk' } }],
  ])('that is not available, %s, has an id, under which the log has one line', async (kind, line) => {
    const door = doorAt(SITE_ROOT)
    const answer = await door.ask('GET', `/full/${kind}`)
    expect(answer.status).toBe(503)
    expect(await answer.text()).toContain('<code>the-id</code>')
    expect(door.lines).toEqual([line])
  })

  test('to a refusal has its status, its words and its headers, and no line in the log', async () => {
    const door = doorAt(SITE_ROOT)
    const answer = await door.ask('GET', '/busy')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7'])
    expect(await answer.text()).toContain('<p>Too many tries.</p>')
    expect(door.lines).toEqual([])
  })

  test('in the frame names the project, the projects and the reader', async () => {
    const page = await text('GET', '/p/books/framed', { who: 'reader' })
    expect(page).toContain('<title>Checks – Harbour Books – Overdue</title>')
    expect(page).toContain('reader@example.org')
    expect(page).toContain('data-theme="dark"')
    expect(page).not.toContain('/settings')
    expect(await text('GET', '/p/books/framed', { who: 'owner' })).toContain('href="/p/books/settings"')
  })
})

describe('below a SITE_ROOT with a path', () => {
  const below = doorAt('https://example.org/watch')

  test('links and redirects have the path', async () => {
    expect((await below.ask('GET', '/account')).headers.get('location')).toBe('/watch/sign-in?next=%2Faccount')
    const sent = { who: 'owner', origin: 'https://example.org', body: '' }
    expect((await below.ask('POST', '/p/books/write', sent)).headers.get('location')).toStartWith('/watch/p/books/read')
    const page = await (await below.ask('GET', '/p/books/framed', { who: 'owner' })).text()
    const links = Array.from(page.matchAll(/(?:href|src|action)="([^"#]+)"/g), ([, link]) => link)
    expect(links.length).toBeGreaterThan(8)
    expect(links.filter((link) => !link?.startsWith('/watch/'))).toEqual([])
  })

  test('handlers see addresses without it', async () => {
    expect(await (await below.ask('GET', '/echo?a=b')).text()).toContain('<p>/echo?a=b http /watch/x</p>')
  })
})

describe('a stream', () => {
  async function* events() {
    for (let count = 1; ; count++) yield { data: String(count) }
  }
  const stream: Route = {
    method: 'GET',
    path: '/p/:project/live',
    access: 'project',
    right: 'read',
    cache: 'no-store',
    answer: () => ({ kind: 'stream', events: events() }),
  }

  /** Pauses of a stream that the test ends. */
  const pauses = () => {
    let end = () => {}
    const streamPause = () => new Promise<void>((resolve) => (end = resolve))
    return { streamPause, end: () => end() }
  }
  const open = async (over: Partial<DoorDeps>) => {
    const answer = await doorAt(SITE_ROOT, over, [stream]).ask('GET', '/p/books/live', { who: 'reader' })
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    return { answer, reader }
  }
  /** Whether the stream ends. Some messages may have been sent before. */
  const endsNow = async (reader: { read(): Promise<{ readonly done: boolean }> }) => {
    for (let count = 0; count < 4; count += 1) if ((await reader.read()).done) return true
    return false
  }

  test('is not begun for HEAD', async () => {
    const answer = await doorAt(SITE_ROOT, {}, [stream]).ask('HEAD', '/p/books/live', { who: 'reader' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(await answer.text()).toBe('')
  })

  test('ends within two seconds after its reader loses the role', async () => {
    let role: Role | null = 'read-only'
    let revision = 1
    const auth: Auth = {
      ...AUTH,
      findProject: async (person) => personIn(BOOKS, person, role),
      accessRevision: () => String(revision),
    }
    const clock = handClock()
    const { streamPause, end } = pauses()
    const { answer, reader } = await open({ auth, streamPause, now: clock.now })
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: 1\n\n')
    role = null
    revision += 1
    expect(await endsNow(reader)).toBe(false)
    clock.advance({ seconds: 2 })
    end()
    expect(await endsNow(reader)).toBe(true)
  })

  test('ends as soon when its reader loses the role while the stream begins', async () => {
    let role: Role | null = 'read-only'
    let revision = 1
    const auth: Auth = {
      ...AUTH,
      findProject: async (person) => {
        const found = personIn(BOOKS, person, role)
        if (role !== null) revision += 1
        role = null
        return found
      },
      accessRevision: () => String(revision),
    }
    const clock = handClock()
    const { streamPause, end } = pauses()
    const { reader } = await open({ auth, streamPause, now: clock.now })
    await reader.read()
    clock.advance({ seconds: 2 })
    end()
    expect(await endsNow(reader)).toBe(true)
  })

  test('ends after an hour, so that its reader is asked anew', async () => {
    const clock = handClock()
    const { streamPause, end } = pauses()
    const { reader } = await open({ now: clock.now, streamPause })
    clock.advance({ seconds: 3_599 })
    end()
    expect(await endsNow(reader)).toBe(false)
    clock.advance({ seconds: 1 })
    end()
    expect(await endsNow(reader)).toBe(true)
  })

  test('asks who reads it after a change of anybody’s access, and every ten seconds, without a use of the session', async () => {
    const asked: string[] = []
    let revision = 1
    const auth: Auth = {
      ...AUTH,
      identify(...given) {
        asked.push('identify')
        return identify(...given)
      },
      recall(...given) {
        asked.push('recall')
        return identify(...given)
      },
      accessRevision: () => String(revision),
    }
    const clock = handClock()
    const { streamPause, end } = pauses()
    const { reader } = await open({ auth, streamPause, now: clock.now })
    const askedAfterPause = async () => {
      end()
      await endsNow(reader)
      return asked.splice(0)
    }
    expect(await askedAfterPause()).toEqual(['identify'])
    expect(await askedAfterPause()).toEqual([])
    revision += 1
    expect(await askedAfterPause()).toEqual([])
    clock.advance({ seconds: 2 })
    expect(await askedAfterPause()).toEqual(['recall'])
    clock.advance({ seconds: 9 })
    expect(await askedAfterPause()).toEqual([])
    clock.advance({ seconds: 1 })
    expect(await askedAfterPause()).toEqual(['recall'])
    await reader.cancel()
  })
})
