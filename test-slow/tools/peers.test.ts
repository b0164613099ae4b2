import { describe, expect, test } from 'bun:test'
import { prepareGatus } from '../../bench/support/gatus.ts'
import { prepareHealthchecks } from '../../bench/support/healthchecks.ts'
import { choosePeers, NotInstalled, peerAt } from '../../bench/support/peers.ts'
import { pingLoad } from '../../bench/support/rounds.ts'
import { markdown, type Row, ratioTable } from '../../bench/support/table.ts'

describe('--peer', () => {
  test('names programs by where they are, and one server by its ping URLs', () => {
    const urls = ['http://127.0.0.1:9000/ping/a?x=1', 'http://127.0.0.1:9000/ping/b']
    expect(choosePeers(['healthchecks=../hc=4', urls[0] ?? '', 'gatus=gatus', urls[1] ?? ''])).toEqual([
      { program: 'healthchecks', place: '../hc=4' },
      { program: 'gatus', place: 'gatus' },
      { program: 'any', urls: urls.map((url) => new URL(url)) },
    ])
    expect(choosePeers([])).toEqual([])
  })

  test.each([
    [['kuma=/opt/kuma']],
    [['gatus']],
    [['gatus=']],
    [['gatus=a', 'gatus=b']],
    [['http://192.0.2.1:9000/ping/a']],
    [['https://127.0.0.1/ping/a']],
    [['http://127.0.0.1:9000/ping/a', 'http://127.0.0.1:9001/ping/a']],
  ])('refuses %j', (given) => {
    expect(() => choosePeers(given)).toThrow('--peer')
  })

  test('takes the paths and the port of a server that was started separately', async () => {
    const peer = peerAt([new URL('http://localhost:9000/ping/a?x=1'), new URL('http://localhost:9000/b')], pingLoad)
    expect(peer.paths).toEqual(['/ping/a?x=1', '/b'])
    expect(await peer.start()).toMatchObject({ port: 9000, own: null })
  })

  test('says what is missing of a program that is not installed', async () => {
    const healthchecks = prepareHealthchecks('/nowhere', '/nowhere', 1)
    await expect(healthchecks).rejects.toThrow(new NotInstalled('there is no manage.py in /nowhere'))
    const gatus = prepareGatus('/nowhere/gatus', '/nowhere', 1)
    await expect(gatus).rejects.toThrow(new NotInstalled('there is no executable file /nowhere/gatus'))
  })
})

describe('the table of ratios', () => {
  const row = (program: string, what: string, values: number[], ratio: number[] | null): Row => ({
    program,
    what,
    figures: [{ name: '', values, digits: 0, unit: '/s' }],
    ratio: ratio && { values: ratio, to: 'Overdue' },
    aim: null,
  })

  test('has a column for each program, with its median ratio to the first and its figure', () => {
    const rows = [
      row('Overdue', 'pings', [18_000, 20_000, 19_000], null),
      row('Gatus', 'pings', [1500, 1600, 1400], [0.083, 0.08, 0.0736]),
      row('Overdue', 'memory', [80], null),
      row('Gatus', 'memory', [400], [5]),
      row('Healthchecks', 'pings', [140], [0.007_37]),
      row('Healthchecks', 'memory', [9_600], [120.4]),
    ]
    expect(ratioTable(rows)).toBe(`| Ratio to Overdue | Overdue | Gatus | Healthchecks |
| --- | --- | --- | --- |
| pings | 1 (19,000/s) | 0.080 (1,500/s) | 0.0074 (140/s) |
| memory | 1 (80/s) | 5.0 (400/s) | 120 (9,600/s) |`)
    expect(markdown(rows, false)).toContain('| Gatus: pings | 0.080 (0.074–0.083) to Overdue | 1,500 (1,400–1,600)/s |')
  })

  test('leaves a dash for what a program has no figure of, and is empty without a comparison', () => {
    const rows = [
      row('Overdue', 'start', [170], null),
      row('Overdue', 'pings', [9], null),
      row('port 1', 'pings', [9], [1]),
    ]
    expect(ratioTable(rows)).toContain('| start | 1 (170/s) | – |')
    expect(ratioTable([{ what: 'pings', figures: [], ratio: null, aim: null }])).toBe('')
  })
})
