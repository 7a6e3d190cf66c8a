/** The measured reads; TIP stands for a height ten blocks back. */
export const REQUESTS: readonly { readonly name: string; readonly method: string; readonly params: string }[] = [
  { name: 'get_balance', method: 'get_balance', params: '{"account_index":0}' },
  { name: 'get_transfers', method: 'get_transfers', params: '{"in":true,"out":true,"pending":true,"failed":true,"pool":true}' },
  {
    name: 'get_transfers of the last ten blocks',
    method: 'get_transfers',
    params: '{"in":true,"out":true,"filter_by_height":true,"min_height":TIP}',
  },
  { name: 'incoming_transfers', method: 'incoming_transfers', params: '{"transfer_type":"all"}' },
];
