/** The least a server can do for a ping: one route with one parameter, answered from memory. Prints its port. */
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  routes: {
    '/ping/:id': (request) => new Response(request.params.id === '' ? 'no id' : 'OK'),
  },
})
process.stdout.write(`${server.port}\n`)
