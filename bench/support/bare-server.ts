/**
 * A server that does as little as possible. For a ping, it has one route with one parameter, reads the body if there is one, and answers
 * from memory. For a list, it serializes a value for each request. The command line names JSON files; the first is served as `/lists/0`. It
 * prints its port.
 */
import { argv } from 'node:process'

const [, , ...files] = argv
const lists = await Promise.all(files.map((file) => Bun.file(file).json()))

const answer = (id: string) => new Response(id === '' ? 'no id' : 'OK')

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  routes: {
    '/ping/:id': {
      GET: (request) => answer(request.params.id),
      async POST(request) {
        const body = await request.arrayBuffer()
        return body.byteLength === 0 ? new Response('no body', { status: 400 }) : answer(request.params.id)
      },
    },
    '/lists/:index': (request) => Response.json(lists[Number(request.params.index)]),
  },
})
process.stdout.write(`${server.port}\n`)
