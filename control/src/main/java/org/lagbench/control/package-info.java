/**
 * The control session between sender and receiver about a run. They send each other {@link ControlMessage}s over TCP,
 * in this order:
 *
 * <pre>
 *  sender                                   receiver
 *     |  ------------ connects ------------->  |
 *     |  <----------- Hello -----------------  |  version, nonce, whether a key is required
 *     |  ------------ Introduction --------->  |  version, nonce
 *     |  <----------- Welcome ---------------  |  proof of each key that the receiver accepts
 *     |  ------------ Proof ---------------->  |  of one of them, if a key is required
 *     |  ------------ Offer ---------------->  |  the run, and the transport's announcements
 *     |  <----------- Accepted --------------  |  the transport's announcements, where to connect
 *     |  ------------ Connected ------------>  |
 *     |  ------------ Watch ---------------->  |  if the sender wants the metrics of each second
 *     |  ============ warm-up packets ======>  |
 *     |  ------------ Begin ---------------->  |  both sides collect garbage
 *     |  <----------- Begun -----------------  |
 *     |  ============ recorded packets =====>  |  then the lead-out
 *     |  <----------- Interval --------------  |  each second, and after Done, if it sent Watch
 *     |  ------------ Done ----------------->  |
 *     |  <----------- Counted ---------------  |
 *     |  ------------ Fetch ---------------->  |  a file that is not in the sender's directory
 *     |  <----------- Capture, bytes --------  |
 * </pre>
 *
 * At any time from {@code Welcome} to {@code Done}, and again after {@code Counted}, the sender may send {@code Ping},
 * answered by {@code Pong}, {@code Ask} for its clock or readings of it, answered by {@code ClockIs} and
 * {@code ReadingsAre}, and {@code OpenExchange}, answered by {@code ExchangeOpened}. Before the {@code Offer} it may
 * {@code Ask} for its host, load or observer, answered by {@code HostIs}, {@code LoadIs} and {@code ObserverIs}, and
 * send {@code Probe}.
 *
 * <p>From {@code Accepted} on, each side sends {@code Alive} several times in the stall timeout: the sender until it
 * closes the connection, the receiver until {@code Counted}. A silent side was stopped, or cannot be reached.
 *
 * <p>Instead of the {@code Offer} the side that connects may send {@code OpenSender}: then the other host sends. Its
 * sender waits at the port in {@code SenderOpened} for a second connection, on which the roles are swapped. There the
 * side that connects is the receiver, and after {@code Counted} the sender sends {@code Recorded} and the receiver each
 * {@code Fetch}:
 *
 * <pre>
 *  receiver                                 host of the receiver's server
 *     |  ------------ connects ------------->  |  as above, until Welcome
 *     |  ------------ OpenSender ----------->  |
 *     |  <----------- SenderOpened ----------  |
 *     |  ------------ connects ------------->  sender
 *     |  ------------ Hello ---------------->  |
 * </pre>
 *
 * <p>Instead of the {@code Offer} a coordinator may send {@code MakeRun} to an agent: then the agent's host sends to a
 * third host. Both sides send {@code Alive} until the coordinator closes the connection, the agent until
 * {@code RunMade}:
 *
 * <pre>
 *  coordinator                              agent
 *     |  ------------ connects ------------->  |  as above, until Welcome
 *     |  ------------ Ping ----------------->  |
 *     |  <----------- Pong ------------------  |  its clock, against which its stamps are checked
 *     |  ------------ MakeRun -------------->  |
 *     |                                        |  its sender executes the run with the third host's receiver
 *     |  <----------- RunMade ---------------  |
 *     |  ------------ Fetch ---------------->  |  each file of both sides
 *     |  <----------- Capture, bytes --------  |
 * </pre>
 *
 * <p>The receiver may send {@code Refused} instead of its next message, when it cannot receive more packets, or when it
 * is interrupted.
 *
 * <p>A program that starts a sender or a receiver sends it {@link SideMessage}s over a pipe, in the same form:
 *
 * <pre>
 *  program                                  sender
 *     |  ------------ Send ----------------->  |  or SendToRequester; a receiver gets Receive, ReceiveFrom or Serve
 *     |  <----------- Waiting ---------------  |  for the clocks
 *     |  <----------- Ready -----------------  |  warm, if it waits for Start
 *     |  ------------ Start ---------------->  |  the same for all that begin together
 *     |  <----------- Recording -------------  |
 *     |  <----------- Interval --------------  |  each second, if requested
 *     |  <----------- Completed -------------  |
 * </pre>
 */
@NullMarked
package org.lagbench.control;

import org.jspecify.annotations.NullMarked;
