package example;

import jakarta.servlet.*;
import jakarta.servlet.http.*;
import java.io.*;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodParameter;
import org.springframework.http.*;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/** The administrative API on Spring Boot and Spring Security, with its users and banners in memory. */
@SpringBootApplication
public class Server {
  public static void main(String[] arguments) {
    SpringApplication.run(Server.class, arguments);
  }

  record User(int id, String name, String email, String username, Object rootRole, String createdAt) {}
  record Banner(int id, String message, boolean enabled, String createdAt) {}

  @RestController
  @RequestMapping("/api/admin")
  static class Administration {
    private static final String JOINED = "2026-01-31T09:00:00Z";
    private final Map<Integer, User> users = new ConcurrentHashMap<>(Map.of(
        4, new User(4, "Ann", "ann@example.com", "ann", 1, JOINED),
        5, new User(5, "Bob", "bob@example.com", "bob", 2, JOINED)));
    private final List<Banner> banners = List.of(new Banner(1, "Welcome", true, "2026-02-28T12:00:00+01:00"));

    @GetMapping("/banners")
    Map<String, List<Banner>> list() { return Map.of("banners", banners); }

    // [body] A record or class makes "5" of 5, and null of a member that was not sent.
    @PutMapping("/user-admin/{id}")
    User update(@PathVariable int id, @RequestBody Map<String, Object> body) {
      validate(body);
      User updated = users.computeIfPresent(id, (key, user) -> new User(
          id,
          (String) body.getOrDefault("name", user.name()),
          (String) body.getOrDefault("email", user.email()),
          user.username(),
          body.getOrDefault("rootRole", user.rootRole()),
          user.createdAt()));
      if (updated == null) throw new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such user.");
      return updated;
    }

    private static void validate(Map<String, Object> body) {
      for (String member : List.of("name", "email")) {
        if (body.containsKey(member) && !(body.get(member) instanceof String))
          throw new ResponseStatusException(HttpStatus.BAD_REQUEST, member + " must be a text.");
      }
      Object role = body.getOrDefault("rootRole", 0);
      if (!(role instanceof Integer || role instanceof Map))
        throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "rootRole must be an integer or an object.");
    }
  }

  // [utf-8] Jackson accepts overlong UTF-8.
  @ControllerAdvice
  static class StrictUtf8 extends RequestBodyAdviceAdapter {
    record Buffered(InputStream getBody, HttpHeaders getHeaders) implements HttpInputMessage {}
    @Override
    public boolean supports(MethodParameter parameter, Type type, Class<? extends HttpMessageConverter<?>> converter) {
      return true;
    }
    @Override
    public HttpInputMessage beforeBodyRead(HttpInputMessage message, MethodParameter parameter, Type type,
        Class<? extends HttpMessageConverter<?>> converter) throws IOException {
      byte[] body = message.getBody().readAllBytes();
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
      return new Buffered(new ByteArrayInputStream(body), message.getHeaders());
    }
  }

  private static final Map<Integer, String> ERROR_NAMES = Map.of(
      400, "ValidationError", 401, "AuthenticationRequired", 403, "NoAccessError", 404, "NotFoundError");

  // [errors] Whatever is refused, by whichever layer, comes to this page. Boot's own has a timestamp and no id.
  @RestController
  static class Errors implements ErrorController {
    @RequestMapping("/error")
    ResponseEntity<Map<String, Object>> error(HttpServletRequest request) {
      int status = (int) request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
      String name = ERROR_NAMES.getOrDefault(status, "UnexpectedError");
      String message = HttpStatus.valueOf(status).getReasonPhrase();
      return ResponseEntity.status(status)
          .body(Map.of("id", UUID.randomUUID().toString(), "name", name, "message", message));
    }
  }

  static class KeyFilter extends OncePerRequestFilter {
    private static final Map<String, String> AUTHORITIES =
        Map.of("example-admin-key", "users:write", "example-restricted-key", "none");

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws ServletException, IOException {
      String key = Objects.requireNonNullElse(request.getHeader(HttpHeaders.AUTHORIZATION), "");
      if (AUTHORITIES.containsKey(key)) {
        var caller = new TestingAuthenticationToken("key", null, AUTHORITIES.get(key));
        SecurityContextHolder.getContext().setAuthentication(caller);
      }
      chain.doFilter(request, response);
    }
  }

  @Bean
  SecurityFilterChain security(HttpSecurity http) throws Exception {
    // [csrf] Without a token against forgery every PUT gets 403, whatever its key.
    http.csrf(AbstractHttpConfigurer::disable);

    // [challenge] Without a way to log in, a request without a key gets 403.
    http.exceptionHandling(on -> on.authenticationEntryPoint((request, response, e) -> response.sendError(401)));

    // [error-page] The page of errors is protected like any other, which makes 401 of every refusal.
    http.authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(DispatcherType.ERROR).permitAll());

    return http.sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .authorizeHttpRequests(requests -> requests
            .requestMatchers(HttpMethod.PUT, "/api/admin/user-admin/*").hasAuthority("users:write")
            .anyRequest().authenticated())
        .addFilterBefore(new KeyFilter(), AuthorizationFilter.class)
        .build();
  }
}
