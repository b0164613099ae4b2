/** The set-up `deploy/behind-a-proxy`, read by the proxies. */
import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderOnDisk } from '../../test/support/folder.ts'
import { ROOT } from '../../test/support/set-ups.ts'
import { isMissing, run, where } from './programs.ts'

const FOLDER = join(ROOT, 'deploy/behind-a-proxy')

test.skipIf(isMissing('caddy'))(`Caddy understands the Caddyfile ${where('caddy')}`, () => {
  const folder = folderOnDisk()
  const settings = { XDG_CONFIG_HOME: folder.path, XDG_DATA_HOME: folder.path }
  const { status, errors } = run(['caddy', 'validate', '--config', join(FOLDER, 'Caddyfile')], settings)
  folder.remove()
  expect({ status, errors }).toEqual({ status: 0, errors: expect.not.stringMatching(/"level":"(?:warn|error)"/) })
})

test.skipIf(isMissing('nginx') || isMissing('openssl'))(`nginx understands nginx.conf ${where('nginx')}`, () => {
  const folder = folderOnDisk()
  const [key, certificate, file] = [folder.file('key'), folder.file('certificate'), folder.file('nginx.conf')]
  const request = ['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=overdue.example.org']
  expect(run([...request, '-keyout', key, '-out', certificate])).toMatchObject({ status: 0 })
  const server = readFileSync(join(FOLDER, 'nginx.conf'), 'utf8')
    .replace('/etc/ssl/overdue.pem', certificate)
    .replace('/etc/ssl/overdue.key', key)
  // Debian's own folders belong to the service.
  const paths = ['client_body', 'fastcgi', 'proxy', 'scgi', 'uwsgi'].map((name) => `${name}_temp_path ${folder.path};`)
  const http = ['access_log off;', ...paths, server].join('\n')
  writeFileSync(file, `pid ${folder.file('pid')};\nerror_log stderr;\nevents {}\nhttp {\n${http}}\n`)
  const { status, errors } = run(['nginx', '-t', '-c', file])
  folder.remove()
  expect({ status, errors }).toEqual({ status: 0, errors: expect.not.stringMatching(/\[(?:warn|emerg)\]/) })
})
