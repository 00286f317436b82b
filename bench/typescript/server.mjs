// The workload on the TypeScript SDK, written as its documentation shows: schemas from zod, input and output checked
// against them, no logging. It serves standard input and output.
import process from 'node:process'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const line = z.object({
  sku: z.string().min(1).max(40).describe('SKU is the number of the article.'),
  quantity: z.number().int().min(1).max(1000).describe('Quantity is how many.'),
  priceCents: z.number().int().min(0).describe('PriceCents is the price of one in cents.'),
})
const order = z.object({
  customer: z.string().min(1).max(120).describe('Customer is who buys.'),
  email: z.email().max(200).describe('Email is where the receipt goes.'),
  lines: z.array(line).min(1).max(100).describe('Lines are the positions.'),
  note: z.string().max(400).optional().describe('Note for whoever delivers.'),
})
const receipt = z.object({ number: z.number().int(), customer: z.string(), totalCents: z.number().int(), lines: z.array(line) })

const answer = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value })

function server() {
  const s = new McpServer({ name: 'dev.elyra.bench', version: 'devel' })
  const description = 'Place places an order and returns its receipt. Use it when the user has named everything that is to be bought.'
  for (let i = 0; i < Number(process.env.ELYRA_BENCH_TOOLS || 1); i++) {
    s.registerTool(i ? `orders_place_${i}` : 'orders_place', { description, inputSchema: order, outputSchema: receipt }, async (input) =>
      answer({
        number: input.lines.length + 1, customer: input.customer, lines: input.lines,
        totalCents: input.lines.reduce((sum, l) => sum + l.quantity * l.priceCents, 0),
      }))
  }
  const memory = z.object({ bytes: z.number(), objects: z.number() })
  // What was allocated is not to be had here.
  s.registerTool('usage', { description: 'Usage tells how much memory this process has allocated since it started.', inputSchema: z.object({}), outputSchema: memory }, async () =>
    answer({ bytes: 0, objects: 0 }))
  return s
}

serveStdio(server)
