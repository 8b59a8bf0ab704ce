# The administrative API on Sinatra, with its users and banners in memory.
require 'json'
require 'securerandom'
require 'sinatra'

set :bind, '127.0.0.1'
set :port, ENV.fetch('PORT', 4242)
# The error page of development shows the headers of the request, and with them the key.
set :environment, :production

KEYS = { 'example-admin-key' => [:update_users], 'example-restricted-key' => [] }.freeze
ERROR_NAMES = {
  400 => 'ValidationError', 401 => 'AuthenticationRequired', 403 => 'NoAccessError', 404 => 'NotFoundError'
}.freeze

JOINED = '2026-01-31T09:00:00Z'
USERS = {
  4 => { id: 4, name: 'Ann', email: 'ann@example.com', username: 'ann', rootRole: 1, createdAt: JOINED },
  5 => { id: 5, name: 'Bob', email: 'bob@example.com', username: 'bob', rootRole: 2, createdAt: JOINED }
}
BANNERS = [{ id: 1, message: 'Welcome', enabled: true, createdAt: '2026-02-28T12:00:00+01:00' }].freeze
UPDATABLE = { name: [String], email: [String], rootRole: [Integer, Hash] }.freeze

helpers do
  # [json] The parser skips comments and takes any escape. Outside of strings, JSON has neither a slash nor a quote.
  def body_of_request
    text = request.body.read.force_encoding(Encoding::UTF_8)
    fail_with 400, 'The body is not UTF-8.' unless text.valid_encoding?
    rest = text.gsub(%r{"([^"\\]|\\["\\/bfnrt]|\\u\h{4})*"}, '')
    fail_with 400, 'The body is not JSON.' if rest.match?(%r{["/]})
    JSON.parse(text)
  rescue JSON::ParserError
    fail_with 400, 'The body is not JSON.'
  end

  # [sent] A member is sent if it is there, whatever its value; and a text responds to [], too.
  def changes
    body = body_of_request
    fail_with 400, 'The body must be an object.' unless body.is_a?(Hash)
    sent = UPDATABLE.select { |member, _| body.key?(member.to_s) }
    sent.to_h do |member, types|
      value = body[member.to_s]
      fail_with 400, "The type of #{member} is wrong." unless types.any? { |type| value.is_a?(type) }
      [member, value]
    end
  end

  def fail_with(status, message)
    name = ERROR_NAMES.fetch(status, 'UnexpectedError')
    halt status, { id: SecureRandom.uuid, name: name, message: message }.to_json
  end
end

before do
  content_type :json
  @permissions = KEYS[request.env['HTTP_AUTHORIZATION']]
  fail_with 401, 'A valid API key is required.' unless @permissions
end

get '/api/admin/banners' do
  { banners: BANNERS }.to_json
end

# [path-id] "4abc".to_i is 4.
put %r{/api/admin/user-admin/(\d+)} do |id|
  fail_with 403, 'This key cannot update users.' unless @permissions.include?(:update_users)
  user = USERS[id.to_i]

  fail_with 404, 'There is no such user.' unless user
  user.merge!(changes).to_json
end

not_found { fail_with 404, 'There is nothing here.' }
error { fail_with 500, 'The server failed.' }
